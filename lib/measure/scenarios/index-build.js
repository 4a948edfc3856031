// Summarizes the samples of `index-build`: every query server and reducer at both sizes of documents, the curve of each
// build. Pure.

import { columnsOf, compare, middle, ratioOf, samplesAt } from './compare.js';
import { INDEX_BUILD } from './published.js';

/** @import { Metric } from './compare.js' */
/** @import { PublishedBuild } from './published.js' */
/** @import { BenchPicture, BenchSample, BenchTable, Comparison, Findings, Settings } from './scenario.js' */

/** @typedef {'none' | 'external' | 'built-in'} Reducer */
/** @type {Reducer[]} */
export const REDUCERS = ['none', 'external', 'built-in'];

/**
 * Languages that are looked for: the server's own, and the names that a query server for Python is given by its variable
 * `COUCHDB_QUERY_SERVER_<NAME>` (src/couch/src/couch_proc_manager.erl, get_servers_from_env, 3.5.0).
 */
export const LANGUAGES = [
  'javascript',
  'javascript_spidermonkey',
  'javascript_quickjs',
  'erlang',
  'python',
  'python_simplejson',
  'python_pypy',
];

/** What tables and charts call them. @type {Record<string, string>} */
const LABELS = {
  javascript: 'JavaScript',
  javascript_spidermonkey: 'JavaScript (SpiderMonkey)',
  javascript_quickjs: 'JavaScript (QuickJS)',
  erlang: 'Erlang',
  python: 'Python',
  python_simplejson: 'Python (simplejson)',
  python_pypy: 'Python (PyPy)',
};

/** @param {string} server a language, or a command @returns {string} */
function labelOf(server) {
  return LABELS[server] ?? server;
}

/** @param {number} bytes of a document @returns {string} */
export function setOfBytes(bytes) {
  return bytes >= 1000 ? `documents of ${Number((bytes / 1000).toPrecision(3))} kB` : `documents of ${bytes} B`;
}

/** @param {string} server a language, or a command @param {Reducer} reducer @returns {string} */
export function armOf(server, reducer) {
  return reducer === 'none' ? `${server}, map only` : `${server}, ${reducer} reducer`;
}

/** @param {string} arm @returns {{server: string, reducer: Reducer}} */
function partsOf(arm) {
  const reducer =
    REDUCERS.find((one) => arm === armOf(arm.replace(/, (map only|(external|built-in) reducer)$/, ''), one)) ?? 'none';
  return { server: arm.replace(/, (map only|(external|built-in) reducer)$/, ''), reducer };
}

/** Documents per second as a metric: ratios are of speeds, as published. @type {Metric} */
export const speed = ({ ms, things, errors = 0 }) => (errors > 0 || ms === 0 ? undefined : (things * 1000) / ms);

/**
 * @param {readonly BenchSample[]} samples
 * @param {Settings} settings
 * @param {{hasQueryServers: boolean, engine?: string | undefined}} server without query servers nothing here is what was published about;
 *   `engine`: what `javascript` runs on, `quickjs 2024`
 * @returns {Findings}
 */
export function summarize(samples, settings, { hasQueryServers, engine }) {
  const [small = 0, large = 0] = /** @type {number[]} */ (settings['document-bytes']);
  const sets = [...new Set([small, large].map(setOfBytes))].filter((set) =>
    samples.some((sample) => sample.set === set),
  );
  return {
    tables: [speedTable(samples, sets), ...curveTables(samples, sets)],
    comparisons: hasQueryServers ? comparisonsOf(samples, [small, large], couchjsOf(engine)) : [],
    pictures: [...sets.map((set) => speedPicture(samples, set)), ...sets.flatMap((set) => curvePicture(samples, set))],
  };
}

/** @param {readonly BenchSample[]} samples @param {string} set @returns {string[]} */
function armsIn(samples, set) {
  return [...new Set(samples.filter((sample) => sample.set === set).map(({ arm }) => arm))].sort((first, second) => {
    const [a, b] = [partsOf(first), partsOf(second)];
    const byServer = placeOf(a.server) - placeOf(b.server) || a.server.localeCompare(b.server, 'en');
    return byServer === 0 ? REDUCERS.indexOf(a.reducer) - REDUCERS.indexOf(b.reducer) : byServer;
  });
}

/** @param {string} server @returns {number} JavaScript first, as published; commands behind all languages */
function placeOf(server) {
  return LANGUAGES.includes(server) ? LANGUAGES.indexOf(server) : LANGUAGES.length;
}

/**
 * @param {readonly BenchSample[]} samples
 * @param {string[]} sets
 * @returns {BenchTable}
 */
function speedTable(samples, sets) {
  const arms = [...new Set(sets.flatMap((set) => armsIn(samples, set)))];
  const hasCpu = samples.some(({ cpuMs }) => cpuMs !== undefined);
  return {
    title: 'Mean build speed, documents per second',
    columns: [
      ...columnsOf({ 'query server': 'text', reducer: 'text' }),
      ...sets.flatMap((set) => [
        { title: set, unit: /** @type {const} */ ('perSecond') },
        { title: 'vs. first', unit: /** @type {const} */ ('times') },
        ...(hasCpu ? [{ title: 'CPU', unit: /** @type {const} */ ('share') }] : []),
      ]),
    ],
    rows: arms.map((arm) => {
      const { server, reducer } = partsOf(arm);
      return [
        labelOf(server),
        reducer,
        ...sets.flatMap((set) => {
          const [first = arm] = armsIn(samples, set).filter((one) => partsOf(one).reducer !== 'none');
          const cpu = middle(samples, { set, arm }, ({ cpuMs, ms }) => (cpuMs === undefined ? undefined : cpuMs / ms));
          return [
            middle(samples, { set, arm }, speed),
            ratioOf(samples, { set, arm }, { set, arm: first }, speed)?.ratio ?? null,
            ...(hasCpu ? [cpu] : []),
          ];
        }),
      ];
    }),
    notes: ['vs. first: relative to the first row with a reducer'],
  };
}

/**
 * @param {readonly BenchSample[]} samples
 * @param {string[]} sets
 * @returns {BenchTable[]} what was seen while the longest build of each arm ran
 */
function curveTables(samples, sets) {
  return sets.flatMap((set) => {
    const rows = armsIn(samples, set).flatMap((arm) => {
      const rates = ratesOf(longestCurve(samples, set, arm)).map(({ rate }) => rate);
      const [first] = rates;
      if (first === undefined) return [];
      const { server, reducer } = partsOf(arm);
      return [
        [labelOf(server), reducer, rates.length, first, Math.min(...rates), Math.max(...rates), rates.at(-1) ?? null],
      ];
    });
    if (rows.length === 0) return [];
    /** @type {BenchTable} */
    const table = {
      title: `Changes per second between readings of _active_tasks, ${set}`,
      columns: columnsOf({
        'query server': 'text',
        reducer: 'text',
        readings: 'count',
        first: 'perSecond',
        lowest: 'perSecond',
        highest: 'perSecond',
        last: 'perSecond',
      }),
      rows,
    };
    return [table];
  });
}

/**
 * @param {readonly BenchSample[]} samples
 * @param {string} set
 * @param {string} arm
 * @returns {NonNullable<BenchSample['curve']>}
 */
function longestCurve(samples, set, arm) {
  const curves = samplesAt(samples, { set, arm }).map(({ curve = [] }) => curve);
  return curves.reduce((longest, curve) => (curve.length > longest.length ? curve : longest), []);
}

/**
 * @param {NonNullable<BenchSample['curve']>} curve
 * @returns {{ms: number, rate: number}[]} changes a second between two points that moved
 */
export function ratesOf(curve) {
  /** @type {{ms: number, rate: number}[]} */
  const rates = [];
  let last = { ms: 0, done: 0 };
  for (const point of curve) {
    if (point.done <= last.done || point.ms <= last.ms) continue;
    rates.push({ ms: point.ms, rate: ((point.done - last.done) * 1000) / (point.ms - last.ms) });
    last = point;
  }
  return rates;
}

/**
 * @param {readonly BenchSample[]} samples
 * @param {string} set
 * @returns {BenchPicture}
 */
function speedPicture(samples, set) {
  const arms = armsIn(samples, set);
  const servers = [...new Set(arms.map((arm) => partsOf(arm).server))];
  const reducers = REDUCERS.filter((reducer) => arms.some((arm) => partsOf(arm).reducer === reducer));
  return {
    title: `Mean build speed, ${set}`,
    kind: 'bars',
    x: { label: 'query server' },
    y: { label: 'documents per second' },
    series: reducers.map((reducer) => ({
      name: reducer === 'none' ? 'map only' : `${reducer} reducer`,
      points: servers.flatMap((server) => {
        const speeds = samplesAt(samples, { set, arm: armOf(server, reducer) }).flatMap(
          (sample) => speed(sample) ?? [],
        );
        const y = middle(samples, { set, arm: armOf(server, reducer) }, speed);
        return y === null ? [] : [{ x: labelOf(server), y, low: Math.min(...speeds), high: Math.max(...speeds) }];
      }),
    })),
  };
}

/**
 * @param {readonly BenchSample[]} samples
 * @param {string} set
 * @returns {BenchPicture[]} none where no build was long enough to be seen
 */
function curvePicture(samples, set) {
  const series = armsIn(samples, set)
    .filter((arm) => partsOf(arm).reducer === 'built-in')
    .map((arm) => ({
      name: labelOf(partsOf(arm).server),
      points: ratesOf(longestCurve(samples, set, arm)).map(({ ms, rate }) => ({ x: ms / 1000, y: rate })),
    }))
    .filter(({ points }) => points.length > 1);
  if (series.length === 0) return [];
  return [
    {
      title: `Build speed over time, built-in reducer, ${set}`,
      kind: 'lines',
      x: { label: 'time since the start', unit: 's' },
      y: { label: 'changes per second' },
      series,
    },
  ];
}

/**
 * @param {string | undefined} engine of `javascript`
 * @returns {string} the language that runs on SpiderMonkey, as the published couchjs did; on a server whose own engine is another one, it has a
 *   name of its own (CouchDB 3.4 and later)
 */
function couchjsOf(engine = '') {
  return engine.startsWith('quickjs') ? 'javascript_spidermonkey' : 'javascript';
}

/**
 * @param {readonly BenchSample[]} samples
 * @param {number[]} bytes of small and of large documents
 * @param {string} couchjs language of the published couchjs
 * @returns {Comparison[]}
 */
function comparisonsOf(samples, [small = 0, large = 0], couchjs) {
  const builds = INDEX_BUILD.builds.map((build) =>
    build.language === 'javascript' ? { ...build, language: couchjs } : build,
  );
  const [base] = builds;
  if (!base) return [];
  const sizes = /** @type {const} */ ([
    ['small', setOfBytes(small), '1 kB'],
    ['large', setOfBytes(large), '300 kB'],
  ]);
  return sizes.flatMap(([size, set, label]) => {
    /** @type {(over: PublishedBuild, under: PublishedBuild) => Comparison} */
    const comparison = (over, under) => {
      const place = (/** @type {PublishedBuild} */ { language, reducer }) => ({ set, arm: armOf(language, reducer) });
      const found = ratioOf(samples, place(over), place(under), speed);
      const name = `${label}: ${over.option}, ${over.reducer} / ${under.option}, ${under.reducer}`;
      const missing = [over, under].find((build) => samplesAt(samples, place(build)).length === 0);
      const reason = missing ? `${missing.language} is not available here` : undefined;
      return compare(name, over[size] / under[size], found, found ? undefined : reason);
    };
    const [plain, simple] = ['python', 'python_simplejson'].map((language) =>
      builds.find((build) => build.language === language && build.reducer === 'built-in'),
    );
    return [
      ...builds.slice(1).map((build) => comparison(build, base)),
      // The comparison that the published post makes for the module.
      ...(plain && simple ? [comparison(simple, plain)] : []),
    ];
  });
}
