// Reads which version of CouchDB a Dockerfile starts from. Values that only a build would show are unknown.

import { isCouchdb, versionOf } from './image.js';

/** @import { SourceFile } from '../../shared/source-file.js' */
/** @import { ContainerRecord, ReadResult } from '../record.js' */

/** An instruction that begins a stage, with the image (docs.docker.com/reference/dockerfile, `FROM`). */
const FROM = /^[ \t]*FROM[ \t]+(?:--platform=\S+[ \t]+)?(\S+)/gim;
/** `ARG VERSION=3.3.3`: only those before the first `FROM` count in one. */
const ARG = /^[ \t]*ARG[ \t]+(\w+)=["']?([^\s"']*)/gim;

/**
 * @param {SourceFile} file
 * @returns {ReadResult} a record for each image of CouchDB
 */
export function readDockerfile(file) {
  const { text } = file;
  const stages = [...text.matchAll(FROM)];
  const head = text.slice(0, stages[0]?.index ?? 0);
  const values = new Map([...head.matchAll(ARG)].map(([, name = '', value = '']) => [name, value]));
  const filled = (/** @type {string} */ image) =>
    image.replace(/\$(?:\{(\w+)(?::?-([^}]*))?\}|(\w+))/g, (_, name, fallback, bare) =>
      String(values.get(name ?? bare) ?? fallback ?? ''),
    );
  const records = stages.flatMap(({ 0: line, 1: written = '', index }) => {
    const image = filled(written);
    const start = index + line.length - written.length;
    /** @type {ContainerRecord} */
    const record = {
      kind: 'container',
      file,
      name: image,
      platform: 'image',
      image,
      version: versionOf(image),
      place: file.place(start, start + written.length),
      memoryBytes: undefined,
      memoryPlace: undefined,
      hasFileLimit: undefined,
      variables: [],
      configPaths: [],
    };
    return isCouchdb(image) ? [record] : [];
  });
  return { records, errors: [] };
}
