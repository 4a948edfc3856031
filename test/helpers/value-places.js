// Checks that hold for any result of a reader: places are inside their file, and strings lead back to what is written.

import { expect } from 'vitest';

/** @import { Place, SourceFile } from '../../lib/shared/source-file.js' */
/** @import { ReadResult, StringNode, ValueNode } from '../../lib/sources/record.js' */

/**
 * @param {SourceFile} file
 * @param {ReadResult} result
 */
export function checkReadResult(file, { records, errors }) {
  for (const error of errors) {
    expect(error.code).toMatch(/^[a-z]+(-[a-z]+)*$/);
    expect(error.message).not.toBe('');
    if (error.place) checkPlace(file, error.place);
  }
  for (const record of records) {
    if (record.kind === 'server-config') {
      for (const { place } of record.sections) checkPlace(file, place);
      for (const { place, valuePlace, value, valueStart, valueEnd } of record.options) {
        checkPlace(file, place);
        checkPlace(file, valuePlace);
        expect(file.text.slice(valueStart, valueEnd)).toBe(value);
      }
    } else if ('node' in record) checkNode(record.node);
  }
}

/**
 * @param {SourceFile} file
 * @param {Place} place
 */
export function checkPlace(file, place) {
  const lines = file.text.split('\n');
  const { line, column, endLine = line, endColumn = column } = place;
  expect(place.file).toBe(file.path);
  expect(line).toBeGreaterThanOrEqual(1);
  expect(column).toBeGreaterThanOrEqual(1);
  expect(endLine).toBeLessThanOrEqual(lines.length);
  expect(column).toBeLessThanOrEqual((lines[line - 1] ?? '').length + 1);
  expect(endColumn).toBeLessThanOrEqual((lines[endLine - 1] ?? '').length + 1);
  expect(endLine * 1e6 + endColumn).toBeGreaterThanOrEqual(line * 1e6 + column);
}

/** @param {ValueNode} node that was read from JSON */
export function checkNode(node) {
  expect(node.start).toBeLessThan(node.end);
  expect(node.end).toBeLessThanOrEqual(node.file.text.length);
  if (node.type === 'object') {
    for (const { key, keyStart, keyEnd, node: value } of node.entries) {
      expect(decode(node.file.text.slice(keyStart, keyEnd))).toBe(key);
      checkNode(value);
    }
  } else if (node.type === 'array') node.items.forEach(checkNode);
  else if (node.type === 'string') checkString(node);
  else if (node.type !== 'unknown') {
    const value = node.type === 'null' ? null : node.value;
    expect(JSON.parse(node.file.text.slice(node.start, node.end))).toBe(value);
  }
}

/** @param {StringNode} node */
function checkString(node) {
  expect(node.text.text).toBe(node.value);
  let covered = 0;
  for (const piece of node.text.pieces) {
    expect(piece.start).toBe(covered);
    covered += piece.length;
    const written = piece.file.text.slice(piece.fileStart, piece.fileEnd);
    const value = node.value.slice(piece.start, covered);
    if (piece.encoding === 'opaque') expect(value).toBe('\n');
    else expect(decode(`"${written}"`)).toBe(value);
  }
  expect(covered).toBe(node.value.length);
  for (let at = 0; at < Math.min(node.value.length, 50); at += 1) {
    // Each code unit has its own escape in JSON, so each can be looked up alone.
    const unit = node.text.slice(at, at + 1).pieces[0];
    if (!unit || unit.encoding === 'opaque') continue;
    expect(decode(`"${unit.file.text.slice(unit.fileStart, unit.fileEnd)}"`)).toBe(node.value[at]);
  }
}

/**
 * @param {string} literal a JSON string, perhaps with control characters that JSON wants escaped
 * @returns {string}
 */
function decode(literal) {
  return JSON.parse(
    literal.replace(/[\x00-\x1f]/g, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`),
  );
}

/**
 * @param {ValueNode} node that was read from a program
 */
export function checkInside(node) {
  expect(node.start).toBeGreaterThanOrEqual(0);
  expect(node.end).toBeGreaterThanOrEqual(node.start);
  expect(node.end).toBeLessThanOrEqual(node.file.text.length);
  if (node.type === 'object') for (const entry of node.entries) checkInside(entry.node);
  if (node.type === 'array') node.items.forEach(checkInside);
  if (node.type !== 'string') return;
  expect(node.text.text).toBe(node.value);
  for (const piece of node.text.pieces) {
    expect(piece.fileEnd).toBeLessThanOrEqual(node.file.text.length);
    if (piece.encoding !== 'raw') continue;
    expect(node.file.text.slice(piece.fileStart, piece.fileEnd)).toBe(
      node.value.slice(piece.start, piece.start + piece.length),
    );
  }
}
