// Summarizes what is measured of query servers without a database. Pure.

import { compare, ratioOf } from './compare.js';
import { armOf, setOfBytes, speed, summarize } from './index-build.js';
import { INDEX_BUILD } from './published.js';

/** @import { BenchSample, Comparison, Findings, Settings } from './scenario.js' */

/** @typedef {{command: string, language: string}} KnownServer */

/**
 * @param {readonly BenchSample[]} samples
 * @param {Settings} settings
 * @param {readonly KnownServer[]} servers
 * @returns {Findings} as of builds, but for the comparisons: without a database nobody published any
 */
export function summarizeQueryServers(samples, settings, servers) {
  const { tables, pictures } = summarize(samples, settings, { hasQueryServers: false });
  const titled = tables.map((table, at) =>
    at === 0 ? { ...table, title: 'Mean speed of the query server alone, documents per second' } : table,
  );
  return { tables: titled, pictures, comparisons: comparisonsOf(samples, settings, servers) };
}

/**
 * @param {readonly BenchSample[]} samples
 * @param {Settings} settings
 * @param {readonly KnownServer[]} servers
 * @returns {Comparison[]} simplejson against the standard module, where both are among the commands
 */
function comparisonsOf(samples, settings, servers) {
  const [small = 0, large = 0] = /** @type {number[]} */ (settings['document-bytes']);
  const standard = servers.find(({ command }) => /json-module=json\b/.test(command));
  const faster = servers.find(({ command }) => /json-module=simplejson\b/.test(command));
  const find = (/** @type {string} */ option) =>
    INDEX_BUILD.builds.find((build) => build.option === option && build.reducer === 'built-in');
  const [plain, simple] = [find('couchpy'), find('couchpy, simplejson')];
  if (!standard || !faster || !plain || !simple) return [];
  const sizes = /** @type {const} */ ([
    ['small', small, '1 kB'],
    ['large', large, '300 kB'],
  ]);
  return sizes.map(([size, bytes, label]) => {
    const set = setOfBytes(bytes);
    const [over, under] = [faster, standard].map(({ command }) => ({ set, arm: armOf(command, 'none') }));
    const found = over && under ? ratioOf(samples, over, under, speed) : null;
    return compare(
      `${label}: couchpy with simplejson / with json, map only`,
      simple[size] / plain[size],
      found,
      'published: of whole builds with a built-in reducer',
    );
  });
}
