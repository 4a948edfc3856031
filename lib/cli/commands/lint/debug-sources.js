// `--debug`: prints which files were read and which were not, why, and which configuration applies to them.

import { printable } from '../../../shared/printable.js';

/** @import { Surroundings } from '../../main.js' */
/** @import { Prepared } from '../../prepare.js' */

/**
 * @param {Pick<Prepared, 'opened' | 'folders' | 'settings'>} prepared
 * @param {Surroundings['stderr']} stderr
 */
export function debugSources({ opened, folders, settings }, stderr) {
  /** @type {Map<string, Map<string, number>>} */
  const kindsOf = new Map();
  for (const { file, kind } of opened.records) {
    const kinds = kindsOf.get(file.path) ?? new Map();
    kindsOf.set(file.path, kinds.set(kind, (kinds.get(kind) ?? 0) + 1));
  }
  const broken = new Map(opened.errors.map(({ place, message }) => [place?.file, message]));
  const read = [...new Set([...opened.files.keys(), ...kindsOf.keys()])].map((path) => {
    const kinds = [...(kindsOf.get(path) ?? [])].map(([kind, count]) => `${count} ${kind}`).join(', ');
    const found = kinds || broken.get(path) || 'part of another';
    const config = folders.of(path).source?.path ?? 'no configuration';
    return { path, text: `read, ${found}; ${config}, CouchDB ${settings.targetOf(path).version}` };
  });
  const skipped = [...opened.notes, ...(opened.passed ?? [])].map(({ path, reason }) => ({
    path,
    text: `not read, ${reason}`,
  }));
  const lines = [...read, ...skipped].sort((first, second) => (first.path < second.path ? -1 : 1));
  for (const { layers, folder } of folders.all) {
    const names = layers.map(({ source }) => source.path).join(', ');
    stderr.write(`debug: configuration of ${printable(folder)}: ${printable(names || 'none')}\n`);
  }
  for (const { path, text } of lines) stderr.write(`debug: ${printable(`${path}: ${text}`)}\n`);
}
