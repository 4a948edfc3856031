// Reads what Compose files and Kubernetes manifests say of containers with CouchDB: version, limits, and `.ini` files that
// are written in them. Values that only an environment would show are unknown.

import { posix } from 'node:path';
import { isMap, isPair, isScalar, parseAllDocuments } from 'yaml';
import { SourceFile } from '../../shared/source-file.js';
import { looksLikeCouchdbIni, readServerConfig } from '../server-config.js';
import { helmRecords } from './helm-values.js';
import { isCouchdb, versionOf } from './image.js';
import { bytesOf } from './memory-size.js';

/** @import { Document } from 'yaml' */
/** @import { Place } from '../../shared/source-file.js' */
/** @import { ContainerRecord, ReadError, ReadResult, SourceRecord } from '../record.js' */

/** @typedef {Record<string, unknown>} Members */
/** @typedef {(...path: (string | number)[]) => Place} PlaceOf */

/** A variable of Compose with a default. */
const VARIABLE = /\$\{\w+:?-([^}]*)\}/g;
const TEMPLATE = 'a template of a manifest; the values of the chart are read';
/** Longer manifests are generated, and describe more than a container or two. */
const MAX_LENGTH = 1024 * 1024;

/**
 * @param {string} text
 * @returns {boolean} whether it may describe a container with CouchDB, or hold its settings
 */
function mayBeManifest(text) {
  return (
    text.length <= MAX_LENGTH &&
    /couchdb/i.test(text) &&
    /^[ \t]*(?:- )?["']?(?:image|data|configs|couchdbConfig)["']?[ \t]*:/m.test(text)
  );
}

/**
 * @param {SourceFile} file
 * @returns {ReadResult} nothing for what describes something else; what is no YAML is an error only where it is about CouchDB
 */
export function readManifest(file) {
  if (!mayBeManifest(file.text)) return { records: [], errors: [] };
  /** @type {SourceRecord[]} */
  const records = [];
  /** @type {ReadError[]} */
  const errors = [];
  for (const document of parseAllDocuments(file.text, { merge: true, logLevel: 'silent' })) {
    if (!('contents' in document)) continue;
    const [fault] = document.errors;
    // Actions of Helm stand between the lines of its templates, which are YAML only when they are rendered.
    if (fault && file.text.includes('{{'))
      return { records: [], errors: [], notes: [{ path: file.path, reason: TEMPLATE }] };
    if (fault) {
      const message = `the manifest is no YAML: ${fault.message.split('\n')[0]?.replace(/ at line \d+.*/, '')}`;
      errors.push({
        code: 'yaml-syntax',
        message,
        place: file.place(fault.pos[0]),
        hint: 'check it with a YAML parser',
      });
      continue;
    }
    records.push(...recordsOf(document, file));
  }
  return { records, errors };
}

/**
 * @param {Document} document
 * @param {SourceFile} file
 * @returns {SourceRecord[]}
 */
function recordsOf(document, file) {
  /** @type {unknown} */
  let value;
  try {
    value = document.toJS();
  } catch {
    // Aliases that stand for millions of values.
    return [];
  }
  const root = membersOf(value);
  /** @type {PlaceOf} */
  const placeOf = (...path) => {
    for (let length = path.length; length > 0; length -= 1) {
      const node = document.getIn(path.slice(0, length), true);
      const range = isScalar(node) || isMap(node) ? node.range : undefined;
      if (range) return file.place(range[0], Math.max(range[0], isScalar(node) ? range[1] : range[0]));
    }
    return file.place(0);
  };
  const services = Object.entries(membersOf(root['services'])).flatMap(([name, service]) =>
    composeContainer(name, membersOf(service), { file, placeOf }),
  );
  const pods = podContainers(root, { file, placeOf });
  return [...services, ...pods, ...writtenConfigs(document, root, file), ...helmRecords(document, file)];
}

/**
 * @param {string} name
 * @param {Members} service
 * @param {{file: SourceFile, placeOf: PlaceOf}} at
 * @returns {ContainerRecord[]} none for another program
 */
function composeContainer(name, service, { file, placeOf }) {
  const image = String(service['image'] ?? '').replace(VARIABLE, '$1');
  if (!isCouchdb(image)) return [];
  const { deploy } = service;
  const limits = membersOf(membersOf(membersOf(deploy)['resources'])['limits']);
  const isDeployed = limits['memory'] !== undefined;
  const memory = isDeployed ? limits['memory'] : service['mem_limit'];
  const memoryPath = isDeployed ? ['deploy', 'resources', 'limits', 'memory'] : ['mem_limit'];
  const mounts = textsOf(service['volumes']);
  const isOpen = service['extends'] !== undefined || mounts.some((mount) => /vm\.args/.test(mount));
  const flags = JSON.stringify([service['environment'], service['command'], service['entrypoint']]);
  const hasLimit = membersOf(service['ulimits'])['nofile'] !== undefined || /\+Q\s*\d|ERL_MAX_PORTS/.test(flags);
  return [
    {
      kind: 'container',
      file,
      name,
      platform: 'compose',
      image,
      version: versionOf(image),
      place: placeOf('services', name, 'image'),
      memoryBytes: bytesOf(memory, 'compose'),
      memoryPlace: memory === undefined ? undefined : placeOf('services', name, ...memoryPath),
      hasFileLimit: hasLimit || (isOpen ? undefined : false),
      variables: variablesOf(service['environment']),
      configPaths: mounts.flatMap((mount) => configPath(mount, file.path)),
    },
  ];
}

/**
 * @param {Members} root a Pod, or what makes some: a Deployment, a StatefulSet
 * @param {{file: SourceFile, placeOf: PlaceOf}} at
 * @returns {ContainerRecord[]}
 */
function podContainers(root, { file, placeOf }) {
  if (typeof root['apiVersion'] !== 'string') return [];
  const path = root['kind'] === 'Pod' ? ['spec'] : ['spec', 'template', 'spec'];
  const spec = membersOf(path.reduce((/** @type {unknown} */ at, key) => membersOf(at)[key], root));
  const containers = Array.isArray(spec['containers']) ? spec['containers'].map(membersOf) : [];
  return containers.flatMap((container, at) => {
    const image = String(container['image'] ?? '');
    if (!isCouchdb(image)) return [];
    const memory = membersOf(membersOf(container['resources'])['limits'])['memory'];
    const own = [...path, 'containers', at];
    return [
      {
        kind: 'container',
        file,
        name: String(container['name'] ?? image),
        platform: 'kubernetes',
        image,
        version: versionOf(image),
        place: placeOf(...own, 'image'),
        memoryBytes: bytesOf(memory, 'kubernetes'),
        memoryPlace: memory === undefined ? undefined : placeOf(...own, 'resources', 'limits', 'memory'),
        // The limit of open files is one of the node there; a manifest has no word for it.
        hasFileLimit: undefined,
        variables: variablesOf(container['env']),
        configPaths: [],
      },
    ];
  });
}

/**
 * @param {Document} document
 * @param {Members} root
 * @param {SourceFile} file
 * @returns {SourceRecord[]} `.ini` files of a ConfigMap, and of `configs` of Compose
 */
function writtenConfigs(document, root, file) {
  const paths =
    root['kind'] === 'ConfigMap'
      ? Object.keys(membersOf(root['data'])).flatMap((key) => (/\.ini$/i.test(key) ? [['data', key]] : []))
      : Object.keys(membersOf(root['configs'])).map((key) => ['configs', key, 'content']);
  return paths.flatMap((path) => {
    const node = document.getIn(path, true);
    if (!isScalar(node) || isPair(node) || !node.range || node.type !== 'BLOCK_LITERAL') return [];
    // The header of the block (`|-`) is no part of the text. All else is blanked, so that each offset stays what it is.
    const start = file.text.indexOf('\n', node.range[0]);
    const end = node.range[1];
    const blank = (/** @type {string} */ text) => text.replace(/[^\n]/g, ' ');
    const text = `${blank(file.text.slice(0, start))}${file.text.slice(start, end)}`;
    if (!looksLikeCouchdbIni(text, 'local.ini')) return [];
    return readServerConfig(new SourceFile(file.path, text)).records.map((record) => ({ ...record, file }));
  });
}

/** @param {unknown} environment a mapping, a list of `NAME=value`, or one of `name: NAME` @returns {string[]} names */
function variablesOf(environment) {
  if (!Array.isArray(environment)) return Object.keys(membersOf(environment));
  return environment.map((one) => String(membersOf(one)['name'] ?? one).replace(/=.*/s, ''));
}

/**
 * @param {string} mount `./local.ini:/opt/couchdb/etc/local.d/local.ini:ro`
 * @param {string} manifest path of the file
 * @returns {string[]} where the settings lie beside it
 */
function configPath(mount, manifest) {
  const [host = '', inside = ''] = mount.split(':');
  const isConfig = /\/etc\/(?:local\.d|default\.d|local\.ini|couchdb)/.test(inside) && /^\.{0,2}\//.test(host);
  return isConfig ? [posix.join(posix.dirname(manifest), host)] : [];
}

/** @param {unknown} volumes @returns {string[]} in the short form */
function textsOf(volumes) {
  if (!Array.isArray(volumes)) return [];
  return volumes.map((item) => {
    const { source = '', target = '' } = /** @type {{source?: unknown, target?: unknown}} */ (membersOf(item));
    return typeof item === 'string' ? item : `${source}:${target}`;
  });
}

/** @param {unknown} value @returns {Members} */
function membersOf(value) {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? /** @type {Members} */ (value) : {};
}
