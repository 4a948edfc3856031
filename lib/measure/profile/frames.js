// Makes trees of costs from profiles: of the functions of one view, for a flame graph, and of all with the query server
// around them, as folded stacks, the text that tools for flame graphs read.

import { printable } from '../../shared/printable.js';

/** @import { Frame } from '../../reports/charts/flame.js' */
/** @import { CallNode, EngineTimes, FunctionProfile, ProfiledSource, ViewProfile } from './profile.js' */

/** What a frame is: a function, a line of one, or work of the query server around them. */
export const FRAME_KINDS = { function: 'function', line: 'line of the function', server: 'query server' };

/**
 * @param {ViewProfile} view
 * @returns {{root: Frame, isTimed: boolean, around: {role: string, share: number}[]}} the functions alone, as `framesOf` has them; `around`: which part of
 *   a call is none of theirs, where it was timed
 */
export function framesOfFunctions({ name, map, reduce }) {
  const profiles = reduce ? [map, reduce] : [map];
  const isTimed = profiles.some(({ engines }) => engines.length > 0);
  const children = profiles
    .filter(({ engines }) => !isTimed || engines.length > 0)
    .flatMap(({ calls, sources }) => calls.map((node) => frameOf(node, sources, isTimed)));
  const around = profiles.flatMap(({ role, engines: [engine] }) =>
    engine ? [{ role, share: 1 - engine.phases.run.middle / (engine.phases.total.middle || 1) }] : [],
  );
  return { root: { name, value: 0, kind: FRAME_KINDS.function, children }, isTimed, around };
}

/**
 * @param {ViewProfile[]} views
 * @returns {{root: Frame, isTimed: boolean}} costs are nanoseconds, or operations where nothing could be timed
 */
export function framesOf(views) {
  const profiles = views.flatMap(({ map, reduce }) => (reduce ? [map, reduce] : [map]));
  const isTimed = profiles.some(({ engines }) => engines.length > 0);
  const frames = views.map(({ name, map, reduce }) => ({
    name,
    value: 0,
    kind: FRAME_KINDS.server,
    children: [map, ...(reduce ? [reduce] : [])].flatMap((profile) => partsOf(profile, isTimed)),
  }));
  const [only] = frames;
  if (only && frames.length === 1) return { root: only, isTimed };
  return { root: { name: 'all views', value: 0, kind: FRAME_KINDS.server, children: frames }, isTimed };
}

/**
 * @param {FunctionProfile} profile
 * @param {boolean} isTimed
 * @returns {Frame[]}
 */
function partsOf(profile, isTimed) {
  const calls = profile.calls.map((node) => frameOf(node, profile.sources, isTimed));
  const engine = profile.engines[0];
  if (!isTimed || !engine) return isTimed ? [] : calls;
  const called = profile.inputs - profile.notRun;
  const server = (/** @type {string} */ name, /** @type {keyof EngineTimes['phases']} */ phase) => ({
    name,
    value: engine.phases[phase].middle * called,
    kind: FRAME_KINDS.server,
    children: [],
  });
  const isMap = profile.role === 'map';
  return [
    server(isMap ? 'read the document' : 'read the rows', 'parse'),
    ...(isMap ? [server('freeze the document', 'freeze')] : []),
    ...calls,
    server(isMap ? 'write the rows' : 'write the result', 'write'),
  ];
}

/**
 * @param {CallNode} node
 * @param {ProfiledSource[]} sources
 * @param {boolean} isTimed
 * @returns {Frame}
 */
function frameOf(node, sources, isTimed) {
  const file = (/** @type {number} */ source) => (source === 0 ? '' : `${sources[source]?.name ?? ''} `);
  const lines = node.lines.map((line) => ({
    name: `${file(line.source)}line ${line.line}`,
    value: isTimed ? (line.ns ?? 0) : line.operations,
    kind: FRAME_KINDS.line,
    children: [],
  }));
  return {
    name: node.source === 0 ? node.name : `${file(node.source)}${node.name}`,
    value: 0,
    kind: FRAME_KINDS.function,
    children: [...lines, ...node.callees.map((callee) => frameOf(callee, sources, isTimed))],
  };
}

/**
 * @param {Frame} root
 * @returns {string} a line for each stack with a cost of its own: names from the root on with `;` between them, a space, the cost as a whole number
 */
export function foldStacks(root) {
  /** @type {string[]} */
  const lines = [];
  const visit = (/** @type {Frame} */ frame, /** @type {string} */ above) => {
    const name = printable(frame.name).replaceAll(';', ',');
    const stack = above === '' ? name : `${above};${name}`;
    const value = Math.round(frame.value);
    if (value > 0) lines.push(`${stack} ${value}\n`);
    for (const child of frame.children) visit(child, stack);
  };
  visit(root, '');
  return lines.join('');
}
