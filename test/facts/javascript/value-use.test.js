import { expect, test } from 'vitest';
import { reaches } from '../../../lib/facts/javascript/value-use.js';
import { readEffects } from '../../../lib/javascript/effects.js';
import { parseFunction, resolveNames } from '../../helpers/internals.js';

/**
 * @param {string} body of a map that calls the clock once
 * @returns {boolean} whether the clock comes to some `emit`
 */
function comes(body) {
  const tree = parseFunction(`function (doc) { ${body} }`);
  if (!tree.ok) throw new Error(body);
  const names = resolveNames(tree.roots);
  const emits = names.nodes.filter(
    (node) => node.type === 'CallExpression' && node.callee.type === 'Identifier' && node.callee.name === 'emit',
  );
  const [call] = readEffects(tree, names).moments;
  if (!call) throw new Error(`no call in ${body}`);
  return reaches(call.node, names, new Set(emits));
}

test.each([
  'emit(Date.now());',
  'emit(doc._id, [{ at: -Date.now() / 1000 }]);',
  'emit((new Date()).toISOString().slice(0, 10));',
  'emit(`${Date.now()}`);',
  'emit(String(Date.now()));',
  'emit(JSON.stringify({ at: new Date() }));',
  'emit(new Date(Date.now() - 5));',
  'emit(doc.at || Date.now());',
  'emit(doc.at ? doc.at : Date.now());',
  'var now = Date.now(); emit(now);',
  'var now; now = Date.now(); emit(now);',
  'var now = Date.now(), day = Math.floor(now / 86400000); emit(day);',
  'if (doc.due < Date.now()) emit(doc.due);',
  'var now = Date.now(); if (doc.due < now && doc.open) { emit(doc.due); }',
  'doc.due < Date.now() && emit(doc.due);',
  'doc.due < Date.now() ? emit(1) : emit(2);',
  'if (doc.due > Date.now()) return; emit(doc.due);',
  'if (doc.due > Date.now()) { throw "late"; } emit(doc.due);',
  'for (var at = 0; at < Math.random() * 3; at++) emit(at);',
  'while (Math.random() < 0.5) { emit(1); }',
  'switch (new Date().getDay()) { case 1: emit(1); }',
])('the clock comes to a row in %s', (body) => {
  expect(comes(body)).toBe(true);
});

test.each([
  'Date.now(); emit(doc._id);',
  'log(Date.now()); emit(doc._id);',
  'var now = Date.now(); emit(doc._id);',
  'var now = Date.now(); log("took", now); emit(doc._id);',
  'var day = new Date(); day.setTime(doc.seen); emit(day.toISOString());',
  'if (doc.due < Date.now()) log(1); emit(doc.due);',
  'emit(doc._id); if (doc.due > Date.now()) return;',
  'emit(doc.days[Date.now()]);',
  'var seen = {}; seen.at = Date.now(); emit(doc._id);',
  'helper(Date.now()); function helper(now) {} emit(doc._id);',
  'var f = function () { return Date.now(); }; emit(doc._id);',
  'var String = function () { return 1; }; emit(String(Date.now()));',
])('the clock comes to no row, as far as can be told, in %s', (body) => {
  expect(comes(body)).toBe(false);
});
