// `couch-advisor upgrade`: judges what is read for the version that runs and for the one to come, and reports the difference as a check list.

import { maskReported } from '../../../engine/hide-secrets.js';
import { documentFormats } from '../../../reports/document/index.js';
import { isFailing } from '../../../reports/report.js';
import { upgradeDocument, upgradeJson } from '../../../reports/upgrade.js';
import { UserError } from '../../../shared/user-error.js';
import { compareVersions, NEWEST_COUCHDB } from '../../../shared/version.js';
import { describeError } from '../../describe-error.js';
import { readDestinations, writeReports } from '../../destinations.js';
import { EXIT } from '../../exit-codes.js';
import { liveReader } from '../../live-reader.js';
import { checkVersion, prepare, targetOf } from '../../prepare.js';
import { reportCutOffs, reportSources } from '../../report-sources.js';
import { readTables, releaseOf } from './changes.js';
import { checkList } from './check-list.js';
import { compareRuns } from './compare-runs.js';

/** @import { Target } from '../../../facts/fact.js' */
/** @import { EngineName } from '../../../javascript/engines.js' */
/** @import { LiveOptions } from '../../live.js' */
/** @import { Surroundings } from '../../main.js' */
/** @import { SourceOptions } from '../../prepare.js' */
/** @import { SourceRecord } from '../../../sources/record.js' */
/** @import { Report } from '../../../reports/report.js' */

/**
 * @typedef {SourceOptions & LiveOptions & {
 *   from?: string, to?: string, fromEngine?: EngineName, format?: string[], output?: string[], failOn?: Report['failOn'], color?: boolean,
 * }} UpgradeOptions
 */

/**
 * @param {UpgradeOptions} options
 * @param {string[]} paths
 * @param {Surroundings} surroundings
 * @returns {Promise<number>} the exit code
 * @throws {UserError} where the versions cannot be used, or nothing can be read
 */
export async function run(options, paths, surroundings) {
  const destinations = readDestinations(options, documentFormats(upgradeDocument, upgradeJson));
  checkVersion('from', options.from);
  checkVersion('to', options.to);
  const { from: given, to: wanted, engine, fromEngine, ...others } = options;
  const reading = { ...others, ...(given && { target: given }), ...(fromEngine && { engine: fromEngine }) };
  const live = liveReader(reading, surroundings);
  const prepared = await prepare(reading, paths, surroundings, live);
  const from = prepared.settings.target;
  /** @type {Target} */
  const to = {
    version: targetOf({ target: wanted ?? NEWEST_COUCHDB }, prepared.config).version,
    source: wanted ? 'option' : 'default',
    ...(engine && { engine }),
  };
  checkOrder(from, to, prepared.opened.records);
  reportSources(prepared, { isDiscovery: paths.length === 0, ...options }, surroundings);
  const comparison = await compareRuns(prepared, { from, to });
  reportCutOffs(comparison.after.run, surroundings.stderr);
  const { mask, report } = comparison.after;
  const upgrade = maskReported(checkList(comparison, prepared.opened.records, { from, to }), mask);
  await writeReports(upgrade, destinations, options, surroundings);
  surroundings.stderr.write(report.errors.map(describeError).join(''));
  if (report.errors.length > 0) return EXIT.INCOMPLETE;
  const failOn = options.failOn ?? 'error';
  const failing = upgrade.items.filter((item) => item.state === 'found' || item.id === 'through-2.3.1');
  return failing.some((item) => isFailing(item, failOn)) ? EXIT.FINDINGS : EXIT.CLEAN;
}

/** @param {Target} from @param {Target} to @param {SourceRecord[]} records @throws {UserError} where nothing says what runs, or it is no upgrade */
function checkOrder(from, to, records) {
  if (from.source === 'default') {
    const images = new Set(records.flatMap((record) => (record.kind === 'container' ? record.image : [])));
    const reason =
      images.size > 1 ? 'container files name several versions' : 'nothing that was read says which CouchDB runs';
    throw new UserError('unknown-version', reason, {
      hint: 'add --from VERSION, or --url of the server',
    });
  }
  const { options } = readTables();
  const [first, last] = [releaseOf(from.version, options), releaseOf(to.version, options)];
  if (compareVersions(last, first) > 0) return;
  throw new UserError('bad-version', `CouchDB ${last} is not newer than ${first}`, {
    hint: 'name the version that runs with --from, and the one to come with --to',
  });
}
