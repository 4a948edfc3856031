// Reads the options that name a server, and how it is read, for the commands that read one.

import { UserError } from '../shared/user-error.js';

/** @import { LiveOptions } from './live.js' */
/** @import { Surroundings } from './main.js' */
/** @import { Reading } from './prepare.js' */

/**
 * @param {LiveOptions & {docs?: string[]}} options
 * @param {Surroundings} surroundings
 * @returns {Pick<Reading, 'readLive' | 'sampleLive'>} nothing where no server is named
 * @throws {UserError} where options do not go together
 */
export function liveReader(options, surroundings) {
  if (options.url === undefined) {
    const [stray] = /** @type {const} */ (['db', 'rate', 'perPattern', 'record', 'resume', 'sampleFrom']).filter(
      (name) => options[name] !== undefined,
    );
    if (stray === undefined) return {};
    const flag = stray.replace(/[A-Z]/, (letter) => `-${letter.toLowerCase()}`);
    throw new UserError('unused-option', `--${flag} requires --url`, {
      hint: 'for example: --url http://localhost:5984',
    });
  }
  const { url, docs, sampleFrom, rate } = options;
  if (docs !== undefined && sampleFrom !== undefined) {
    throw new UserError('two-samples', '--docs and --sample-from cannot be combined', {
      hint: 'remove one of them',
    });
  }
  return {
    readLive: async (config) => (await import('./live.js')).readLive({ ...options, url }, config, surroundings),
    ...(sampleFrom === undefined
      ? {}
      : {
          sampleLive: async (max) => {
            const { sampleLive } = await import('../engine/run/read-server.js');
            return sampleLive({ url, rate, env: surroundings.env }, sampleFrom, max);
          },
        }),
  };
}
