// Reads the values of CouchDB's Helm chart: version, memory and settings, as its templates put them into a StatefulSet and `chart.ini`
// (apache/couchdb-helm, couchdb/values.yaml, templates/statefulset.yaml and templates/configmap.yaml).

import { isMap, isScalar } from 'yaml';
import { isCouchdb, versionOf } from './image.js';
import { bytesOf } from './memory-size.js';

/** @import { Document, Scalar, YAMLMap } from 'yaml' */
/** @import { SourceFile } from '../../shared/source-file.js' */
/** @import { ContainerRecord, ServerConfigRecord } from '../record.js' */

/** The key under which a chart that has this one among its dependencies keeps the values. */
const CHART = 'couchdb';

/** What the chart takes where the values name no image. */
const DEFAULT_REPOSITORY = 'couchdb';

/**
 * @param {Document} document
 * @param {SourceFile} file
 * @returns {(ContainerRecord | ServerConfigRecord)[]} none for what are other values
 */
export function helmRecords(document, file) {
  const own = [document.contents, document.getIn([CHART], true)].find(
    (node) => isMap(node) && node.has('couchdbConfig'),
  );
  if (!isMap(own)) return [];
  return [...containerOf(own, file), ...configOf(own, file)];
}

/**
 * @param {YAMLMap} values
 * @param {SourceFile} file
 * @returns {ContainerRecord[]} none where the values name no image: its tag is then that of the chart's version
 */
function containerOf(values, file) {
  const tag = scalarAt(values, ['image', 'tag']);
  const repository = String(scalarAt(values, ['image', 'repository'])?.value ?? DEFAULT_REPOSITORY);
  const image = `${repository}:${tag?.source ?? ''}`;
  if (!tag || !isCouchdb(image)) return [];
  const memory = scalarAt(values, ['resources', 'limits', 'memory']);
  return [
    {
      kind: 'container',
      file,
      name: CHART,
      platform: 'kubernetes',
      image,
      version: versionOf(image),
      place: placeOf(tag, file),
      memoryBytes: bytesOf(memory?.value, 'kubernetes'),
      memoryPlace: memory && placeOf(memory, file),
      // The limit of open files is one of the node there.
      hasFileLimit: undefined,
      variables: [],
      configPaths: [],
    },
  ];
}

/**
 * @param {YAMLMap} values
 * @param {SourceFile} file
 * @returns {ServerConfigRecord[]} none where nothing is set
 */
function configOf(values, file) {
  const config = values.get('couchdbConfig', true);
  /** @type {ServerConfigRecord} */
  const record = { kind: 'server-config', file, isYaml: true, sections: [], options: [] };
  for (const { key: section, value: members } of isMap(config) ? config.items : []) {
    if (!isScalar(section) || !isMap(members)) continue;
    record.sections.push({ name: String(section.value), place: placeOf(section, file) });
    for (const { key, value } of members.items) {
      // An option without a value is none in the `.ini` file either.
      if (!isScalar(key) || !isScalar(value) || value.value === null || !key.range || !value.range) continue;
      record.options.push({
        section: String(section.value),
        key: String(key.value),
        value: typeof value.value === 'string' ? value.value : (value.source ?? String(value.value)),
        place: file.place(key.range[0], value.range[1]),
        valuePlace: placeOf(value, file),
        valueStart: value.range[0],
        valueEnd: value.range[1],
      });
    }
  }
  return record.options.length > 0 ? [record] : [];
}

/**
 * @param {YAMLMap} values
 * @param {string[]} path
 * @returns {Scalar | undefined}
 */
function scalarAt(values, path) {
  const node = values.getIn(path, true);
  return isScalar(node) && node.value !== null && node.value !== '' ? node : undefined;
}

/**
 * @param {Scalar} node
 * @param {SourceFile} file
 * @returns {import('../../shared/source-file.js').Place}
 */
function placeOf(node, file) {
  const [start = 0, end = 0] = node.range ?? [];
  return file.place(start, end);
}
