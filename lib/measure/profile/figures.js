// Computes what each line, function and call cost from the notes of the probes.

import { sumOf } from '../../shared/values.js';
import { spanOf } from './profile.js';

/** @import { Instrumented } from './instrument.js' */
/** @import { CallNode, FunctionCost, Phases, ProfiledLine, Span } from './profile.js' */

/**
 * @typedef {object} Noted One function called by way of others, as it was noted.
 * @property {number} fn its number; -1 for the code around
 * @property {number} calls
 * @property {Map<number, {times: number, ns: number}>} probes
 * @property {Map<number, Noted>} callees
 */

/** @typedef {{source: number, offset: number}} At */

/** @returns {Noted} */
function emptyNote(fn = -1) {
  return { fn, calls: 0, probes: new Map(), callees: new Map() };
}

/**
 * @param {string[]} texts of one round, each of one pair of realms; foreign code could have changed them
 * @returns {Noted} all of them in one tree, its times without those of the measuring
 */
export function readNotes(texts) {
  const root = emptyNote();
  for (const text of texts) addNotes(root, text);
  return root;
}

/**
 * @param {Noted} root
 * @param {string} text
 */
function addNotes(root, text) {
  /** @type {unknown} */
  let parsed;
  try {
    parsed = JSON.parse(text);
  } catch {
    return;
  }
  const { nodes, empty } = /** @type {{nodes?: unknown, empty?: unknown}} */ (parsed ?? {});
  if (!Array.isArray(nodes)) return;
  const emptyNs = asCount(empty);
  /** @type {(Noted | undefined)[]} */
  const known = [];
  for (const [at, row] of nodes.entries()) {
    if (!Array.isArray(row)) return;
    const [parent, fn, calls, ...probes] = row;
    const above = at === 0 ? undefined : known[Number(parent)];
    if (at > 0 && !above) return;
    const note = above ? (above.callees.get(Number(fn)) ?? emptyNote(Number(fn))) : root;
    above?.callees.set(Number(fn), note);
    known[at] = note;
    note.calls += asCount(calls);
    for (let one = 0; one + 3 < probes.length; one += 4) {
      const probe = note.probes.get(Number(probes[one])) ?? { times: 0, ns: 0 };
      probe.times += asCount(probes[one + 1]);
      probe.ns += Math.max(0, asCount(probes[one + 2]) - asCount(probes[one + 3]) * emptyNs);
      note.probes.set(Number(probes[one]), probe);
    }
  }
}

/**
 * @param {unknown} value
 * @returns {number}
 */
function asCount(value) {
  return typeof value === 'number' && Number.isFinite(value) && value > 0 ? value : 0;
}

/**
 * @param {Noted} counted
 * @param {Noted[]} timed one a round; none where nothing was timed
 * @param {Instrumented} instrumented
 * @param {{lineOf: (at: At) => number, runNs: number}} options `runNs`: what all calls took without probes; times are scaled to that
 * @returns {{calls: CallNode[], functions: FunctionCost[], lines: ProfiledLine[], operations: number}}
 */
export function makeFigures(counted, timed, instrumented, { lineOf, runNs }) {
  const context = { instrumented, lineOf, isTimed: timed.length > 0 };
  const calls = [...counted.callees.values()].map((note) =>
    makeNode(
      note,
      timed.map((round) => round.callees.get(note.fn)),
      context,
    ),
  );
  const measured = sumOf(calls.map(totalNs));
  const scale = measured > 0 ? runNs / measured : 0;
  for (const node of calls) scaleTimes(node, scale);
  return {
    calls,
    functions: functionsOf(calls),
    lines: mergeLines(calls.flatMap(linesBelow), (one, other) => one + other),
    operations: sumOf(calls.map(totalOperations)),
  };
}

/**
 * @param {Noted} note
 * @param {(Noted | undefined)[]} timed the same function called the same way, in each round
 * @param {{instrumented: Instrumented, lineOf: (at: At) => number, isTimed: boolean}} context
 * @returns {CallNode}
 */
function makeNode(note, timed, context) {
  const { instrumented, lineOf, isTimed } = context;
  const fn = instrumented.functions[note.fn] ?? { name: 'function', source: 0, offset: 0, end: 0 };
  /** @type {ProfiledLine[]} */
  const parts = [];
  for (const [number, { times }] of note.probes) {
    const probe = instrumented.probes[number];
    if (!probe) continue;
    // The middle of the rounds: one in which the machine did something else does not count.
    const ns = isTimed ? spanOf(timed.map((round) => round?.probes.get(number)?.ns ?? 0)).middle : undefined;
    parts.push({ source: probe.source, line: lineOf(probe), times, operations: times * probe.operations, ns });
  }
  // A line was reached as often as its busiest part.
  const lines = mergeLines(parts, Math.max);
  return {
    name: fn.name,
    source: fn.source,
    line: lineOf(fn),
    calls: note.calls,
    operations: sumOf(lines.map((line) => line.operations)),
    ns: isTimed ? sumOf(lines.map((line) => line.ns ?? 0)) : undefined,
    lines,
    callees: [...note.callees.values()].map((callee) =>
      makeNode(
        callee,
        timed.map((round) => round?.callees.get(callee.fn)),
        context,
      ),
    ),
  };
}

/**
 * @param {CallNode} node changed
 * @param {number} scale
 */
function scaleTimes(node, scale) {
  if (node.ns !== undefined) node.ns *= scale;
  for (const line of node.lines) if (line.ns !== undefined) line.ns *= scale;
  for (const callee of node.callees) scaleTimes(callee, scale);
}

/**
 * @param {ProfiledLine[]} parts
 * @param {(one: number, other: number) => number} join how often a line was reached, from two of its parts
 * @returns {ProfiledLine[]} one for each line, in the order of the text
 */
function mergeLines(parts, join) {
  /** @type {Map<string, ProfiledLine>} */
  const byLine = new Map();
  for (const part of parts) {
    const key = `${part.source}:${part.line}`;
    const line = byLine.get(key);
    if (!line) {
      byLine.set(key, { ...part });
      continue;
    }
    line.times = join(line.times, part.times);
    line.operations += part.operations;
    if (part.ns !== undefined) line.ns = (line.ns ?? 0) + part.ns;
  }
  return [...byLine.values()].sort((one, other) => one.source - other.source || one.line - other.line);
}

/**
 * @param {CallNode} node
 * @returns {ProfiledLine[]}
 */
function linesBelow(node) {
  return [...node.lines, ...node.callees.flatMap(linesBelow)];
}

/**
 * @param {CallNode} node
 * @returns {number}
 */
function totalNs(node) {
  return (node.ns ?? 0) + sumOf(node.callees.map(totalNs));
}

/**
 * @param {CallNode} node
 * @returns {number}
 */
function totalOperations(node) {
  return node.operations + sumOf(node.callees.map(totalOperations));
}

/**
 * @param {CallNode[]} calls
 * @returns {FunctionCost[]} the one with the most operations of its own first
 */
function functionsOf(calls) {
  /** @type {Map<string, FunctionCost>} */
  const found = new Map();
  const visit = (/** @type {CallNode} */ node, /** @type {Set<string>} */ above) => {
    const key = `${node.source}:${node.line}:${node.name}`;
    const cost = found.get(key) ?? {
      name: node.name,
      source: node.source,
      line: node.line,
      calls: 0,
      operations: 0,
      ownNs: node.ns === undefined ? undefined : 0,
      totalNs: node.ns === undefined ? undefined : 0,
    };
    found.set(key, cost);
    cost.calls += node.calls;
    cost.operations += node.operations;
    if (cost.ownNs !== undefined) cost.ownNs += node.ns ?? 0;
    // What calls itself by way of others is in its own time already.
    if (cost.totalNs !== undefined && !above.has(key)) cost.totalNs += totalNs(node);
    for (const callee of node.callees) visit(callee, new Set(above).add(key));
  };
  for (const node of calls) visit(node, new Set());
  return [...found.values()].sort((one, other) => other.operations - one.operations || one.line - other.line);
}

/**
 * @param {number[][]} rounds nanoseconds of each phase of all calls
 * @param {number} calls
 * @returns {Phases} for one call
 */
export function phasesOf(rounds, calls) {
  // The first round finds nothing prepared.
  const counted = rounds.length > 2 ? rounds.slice(1) : rounds;
  const each = (/** @type {(round: number[]) => number} */ take) =>
    spanOf(counted.map((round) => take(round) / Math.max(1, calls)));
  const [parse, freeze, run, write] = /** @type {[Span, Span, Span, Span]} */ (
    [0, 1, 2, 3].map((phase) => each((round) => round[phase] ?? 0))
  );
  return addPhases({ parse, freeze, run, write });
}

/**
 * @param {Omit<Phases, 'total'>} phases
 * @returns {Phases} with their total, which is that of the middles, so that the parts add up to it
 */
export function addPhases(phases) {
  const total = { middle: 0, low: 0, high: 0 };
  for (const { middle, low, high } of Object.values(phases)) {
    total.middle += middle;
    total.low += low;
    total.high += high;
  }
  return { ...phases, total };
}
