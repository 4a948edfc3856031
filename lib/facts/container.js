// Facts about containers with CouchDB, as a Compose file or a Kubernetes manifest describes them: their limits, and whether
// these are enough for what is configured.

import { factsOf } from './fact.js';

/** @import { ContainerSubject, DeclareFact, FactDeclaration } from './fact.js' */
/** @import { ConfigOption } from '../sources/record.js' */

/** Memory that a query server may take: the heap of couchjs (`-S`), and `[quickjs] memory_limit_bytes` (default.ini, 3.4.3 and 3.5.2). */
const QUERY_SERVER_BYTES = 64 * 1024 ** 2;

/** Why a limit of open files is unknown. @type {Record<ContainerSubject['record']['platform'], string>} */
const NO_FILE_LIMIT = {
  compose: 'another file may set it',
  kubernetes: 'the node sets it, not the manifest',
  image: 'it is set where the image is run',
};

/** @type {DeclareFact<ContainerSubject>} */
const containerFact = factsOf({ subject: 'container', sources: ['server-config'], basis: 'declared' });

/** @type {FactDeclaration<ContainerSubject>[]} */
export const containerFacts = [
  containerFact('container.hasFileLimit', 'boolean', {
    meaning:
      'Whether the container has a limit of open files of its own (`ulimits.nofile`), or Erlang a table of a given size (`+Q`).',
    phrases: ['the container has a limit of open files', 'the container has no limit of open files of its own'],
    extract: ({ record }) =>
      record.hasFileLimit === undefined
        ? { unknown: NO_FILE_LIMIT[record.platform] }
        : { value: record.hasFileLimit, place: record.place },
  }),
  containerFact('container.memoryBytes', 'bytes', {
    meaning: 'The memory that the container may take.',
    phrases: 'the container may take {value} of memory',
    extract: ({ record: { memoryBytes, memoryPlace } }) =>
      memoryBytes === undefined
        ? { unknown: 'the container has no limit of memory, or its limit comes from elsewhere' }
        : { value: memoryBytes, place: memoryPlace },
  }),
  containerFact('container.queryServerBytes', 'bytes', {
    meaning:
      'The memory that its query servers may take together: 64 MB for each of `os_process_limit`, where its configuration sets that.',
    extract: (subject) => {
      const limit = queryServers(subject);
      return 'unknown' in limit ? limit : { value: limit.count * QUERY_SERVER_BYTES, place: limit.option.place };
    },
  }),
  containerFact('container.queryServerCount', 'count', {
    meaning: 'The number of query servers that its configuration allows.',
    extract: (subject) => {
      const limit = queryServers(subject);
      return 'unknown' in limit ? limit : { value: limit.count, place: limit.option.place };
    },
  }),
  containerFact('container.queryServersTimesMemory', 'count', {
    meaning: 'That memory divided by the memory of the container.',
    phrases: 'query servers may take {value} times the memory of the container',
    extract: (subject, ask) => {
      const [needed, given] = ['queryServerBytes', 'memoryBytes'].map((name) => ask(subject, `container.${name}`));
      if (!needed || 'unknown' in needed) return needed ?? { unknown: '' };
      if (!given || 'unknown' in given) return given ?? { unknown: '' };
      return { value: Math.round((10 * Number(needed.value)) / Number(given.value)) / 10, place: needed.place };
    },
  }),
];

/**
 * @param {ContainerSubject} subject
 * @returns {{count: number, option: ConfigOption} | {unknown: string}} `os_process_limit` of the configuration that it mounts
 */
function queryServers({ record, parent }) {
  const options = parent.subjects.flatMap((other) =>
    other.kind === 'server' && isItsOwn(record.configPaths, record.file.path, other.record.file.path)
      ? other.record.options
      : [],
  );
  const option = options.findLast(
    ({ section, key }) => section === 'query_server_config' && key === 'os_process_limit',
  );
  const count = Number(option?.value);
  if (!option || !Number.isInteger(count)) return { unknown: 'its configuration sets no `os_process_limit`' };
  return { count, option };
}

/**
 * @param {string[]} mounted files and folders
 * @param {string} manifest
 * @param {string} path of a configuration
 * @returns {boolean}
 */
function isItsOwn(mounted, manifest, path) {
  return path === manifest || mounted.some((one) => path === one || path.startsWith(`${one.replace(/\/$/, '')}/`));
}
