// Changes a setting of a server for the time of a measurement and restores it: only where the user allowed it, only
// what is listed here, and so that a restart undoes it in any case.

import { UserError } from '../../../shared/user-error.js';

/** @import { Workbench } from './workbench.js' */

/** Channels of the server's own compaction, with more than any file will have: ratios of file to data, and bytes beside the data. */
const CHANNELS = {
  'smoosh.ratio_dbs': '1000000',
  'smoosh.slack_dbs': '1000000000000000',
  'smoosh.ratio_views': '1000000',
  'smoosh.slack_views': '1000000000000000',
};

const ALLOWED = ['uuids/algorithm', ...Object.keys(CHANNELS).map((channel) => `${channel}/min_priority`)];
/** A change is seen by the processes of the server within this time, in milliseconds. */
const SETTLE = 200;

/**
 * @template T
 * @param {Workbench} bench
 * @param {string} section
 * @param {string} key
 * @param {string} value
 * @param {() => Promise<T>} work
 * @returns {Promise<T>}
 * @throws {UserError} where the server does not let it be changed
 */
export async function withSetting(bench, section, key, value, work) {
  const name = `${section}/${key}`;
  if (!bench.options.mayChangeConfig || !ALLOWED.includes(name)) throw new Error(`refused: a change of ${name}`);
  const before = await bench.server.ask('GET', `_node/_local/_config/${name}`);
  await change(bench, name, value);
  try {
    await bench.options.pause(SETTLE);
    return await work();
  } finally {
    await change(bench, name, before.status === 200 ? String(before.body) : undefined);
  }
}

/**
 * While the work runs, no file is compacted without a request to do so (src/smoosh/src/smoosh_server.erl, get_priority, CouchDB 3.5.0: else
 * those of twice the data, or of 512 MB more than it).
 * @template T
 * @param {Workbench} bench
 * @param {() => Promise<T>} work
 * @returns {Promise<T>}
 */
export function withoutCompaction(bench, work) {
  return Object.entries(CHANNELS).reduce(
    (inner, [channel, value]) =>
      () =>
        withSetting(bench, channel, 'min_priority', value, inner),
    work,
  )();
}

/**
 * @param {Workbench} bench
 * @param {string} name
 * @param {string | undefined} value taken away where absent
 */
async function change({ server }, name, value) {
  // Not written to a file: the next start of the server knows nothing of it (src/chttpd/src/chttpd_node.erl, 3.5.0).
  const headers = { ...server.headers, 'content-type': 'application/json', 'x-couch-persist': 'false' };
  const target = `${server.origin}/_node/_local/_config/${name}`;
  const given = value === undefined ? { method: 'DELETE' } : { method: 'PUT', body: JSON.stringify(value) };
  const response = await fetch(target, { ...given, headers }).catch(() => undefined);
  if (response?.ok || (value === undefined && response?.status === 404)) return;
  const what = value === undefined ? `[${name}] could not be taken back` : `[${name}] could not be set to ${value}`;
  throw new UserError('config-refused', `${what} (${response?.status ?? 'no answer'})`, {
    hint: 'leave --change-config out',
  });
}
