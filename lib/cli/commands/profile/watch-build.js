// `couch-advisor profile --watch-build`: prints how many changes a second an index takes while it is built.

import { watchBuild } from '../../../measure/profile/run/watch-build.js';
import { openCouchdb } from '../../../measure/servers/couchdb.js';
import { renderBuildPoint, renderWatchedBuild } from '../../../reports/watch-build-text.js';
import { printable } from '../../../shared/printable.js';
import { UserError } from '../../../shared/user-error.js';
import { describeError } from '../../describe-error.js';
import { EXIT } from '../../exit-codes.js';
import { listenForInterrupts } from '../../scratch-server.js';

/** @import { Surroundings } from '../../main.js' */

/** How long to wait for a build to begin, in milliseconds. */
const PATIENCE_MS = 60_000;

/**
 * @param {{watchBuild: string, url?: string, format?: string[], output?: string[]}} options `watchBuild`: `shop/orders`
 * @param {Surroundings} surroundings
 * @returns {Promise<number>}
 * @throws {UserError} where it cannot be watched, or no build is seen
 */
export async function watch({ watchBuild: name, url, format, output }, { stdout, stderr, env }) {
  const index = readName(name);
  // Its points are printed as they come.
  if (output !== undefined || format?.some((one) => one !== 'text' && one !== 'json')) {
    throw new UserError('unused-option', '--watch-build prints text or JSON only', {
      hint: 'redirect standard output',
    });
  }
  if (url === undefined) {
    throw new UserError('no-server', '--watch-build requires a server', { hint: 'add --url http://localhost:5984' });
  }
  const server = await openCouchdb(url, env);
  const interrupt = listenForInterrupts();
  const isText = format?.includes('json') !== true;
  const shown = printable(`${index.database}/_design/${index.designDoc}`);
  try {
    if (isText) stderr.write(`waiting for a build of ${shown}; query one of its views to start it\n`);
    const watched = await watchBuild((path) => server.ask('GET', path), index, {
      pause: (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds)),
      clock: () => performance.now(),
      patienceMs: PATIENCE_MS,
      signal: interrupt.signal,
      onPoint: (point) => {
        if (isText) stdout.write(renderBuildPoint(point));
      },
    });
    if ('refused' in watched) {
      throw new UserError('not-allowed', `${server.origin} refused _active_tasks (status ${watched.refused})`, {
        hint: 'set COUCHDB_USER and COUCHDB_PASSWORD to those of a server admin',
      });
    }
    const build = { index: shown, ...watched };
    stdout.write(isText ? renderWatchedBuild(build) : `${JSON.stringify({ version: 1, ...build }, null, 2)}\n`);
    if (watched.isOver) return EXIT.CLEAN;
    const reason =
      watched.points.length === 0
        ? `no build of ${shown} was seen within ${PATIENCE_MS / 1000} s`
        : 'the build continues on the server';
    stderr.write(describeError(new UserError('not-finished', reason, {})));
    return EXIT.INCOMPLETE;
  } finally {
    interrupt.stop();
    await server.close();
  }
}

/**
 * @param {string} name `shop/orders`, `shop/_design/orders`; names of databases may have slashes
 * @returns {{database: string, designDoc: string}}
 * @throws {UserError}
 */
function readName(name) {
  const [, database, designDoc] = /^(.+?)\/(?:_design\/)?([^/]+)$/.exec(name) ?? [];
  if (database !== undefined && designDoc !== undefined) return { database, designDoc };
  throw new UserError('bad-name', `invalid --watch-build \`${printable(name)}\`: must be DATABASE/DESIGN-DOCUMENT`, {
    hint: 'for example: --watch-build shop/orders',
  });
}
