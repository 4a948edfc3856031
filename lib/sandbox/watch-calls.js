// Receives the calls of a profile's probes, written for the engine that runs the foreign code: its text runs there and nowhere else. It must use
// nothing but its parameters, and members of arrays by number, which no foreign code can remove.

/**
 * @typedef {object} Watch
 * @property {() => string} read figures so far, as JSON: `nodes` of the tree of calls, each [parent, function, calls, then probe, times and
 *   nanoseconds for each probe that was reached, with how many stretches these nanoseconds had]; `empty`: nanoseconds of the usual stretch in which
 *   nothing happens but the measuring itself
 * @property {() => void} reset forgets all figures
 * @property {() => void} begin a call from outside begins: whatever an error of the last one left open is over
 */

/**
 * Makes the functions that instrumented code calls.
 * @param {any} realm the global object of the foreign realm
 * @param {string} prefix of their names
 * @param {(() => number) | undefined} clock nanoseconds; nothing is timed without one
 * @param {(value: unknown) => string} stringify
 * @returns {Watch}
 */
function watchCalls(realm, prefix, clock, stringify) {
  /** More are counted as their caller: a tree without end is of no use to anybody. */
  const MAX_NODES = 3000;
  const MAX_DEEP = 200;
  const TRIED = 201;
  const define = Object.defineProperty;

  /** @type {number[]} */ let parents;
  /** @type {number[]} */ let functions;
  /** @type {number[]} */ let calls;
  /** By node, by function: the node of that callee. @type {number[][]} */ let callees;
  /** By node, by probe. @type {number[][]} */ let times;
  /** @type {number[][]} */ let nanoseconds;
  /** @type {number[][]} */ let stretches;
  /** Where the callers are. @type {number[]} */ let waitingNodes;
  /** @type {number[]} */ let waitingProbes;
  /** Nanoseconds of a stretch without anything in it. */
  let empty = 0;
  let depth = 0;
  let node = 0;
  let current = 0;
  let last = 0;
  /** Of the stretch that ended last. */
  let spent = 0;

  /** @param {number} parent @param {number} fn */
  function addNode(parent, fn) {
    const made = parents.length;
    parents[made] = parent;
    functions[made] = fn;
    calls[made] = 0;
    callees[made] = [];
    times[made] = [];
    nanoseconds[made] = [];
    stretches[made] = [];
    return made;
  }

  /** The usual time between two probes that follow each other, with nothing in between. @param {() => number} now */
  function tryEmpty(now) {
    const tried = [];
    last = now();
    for (let at = 0; at < TRIED; at++) {
      probe(0);
      tried[at] = spent;
    }
    tried.sort((one, other) => one - other);
    empty = tried[TRIED >> 1] || 0;
    times[0] = [];
    last = now();
  }

  function reset() {
    parents = [];
    functions = [];
    calls = [];
    callees = [];
    times = [];
    nanoseconds = [];
    stretches = [];
    waitingNodes = [];
    waitingProbes = [];
    depth = 0;
    node = addNode(-1, -1);
    current = 0;
    if (clock) tryEmpty(clock);
  }

  /** Ends the stretch that runs. @param {number} now */
  function settle(now) {
    spent = now - last;
    // Between the beginning of a function and its first statement nothing happens.
    if (current === 0) return;
    const ofNode = /** @type {number[]} */ (nanoseconds[node]);
    const counts = /** @type {number[]} */ (stretches[node]);
    ofNode[current] = (ofNode[current] || 0) + spent;
    counts[current] = (counts[current] || 0) + 1;
  }

  /** A function begins. @param {number} fn */
  function enter(fn) {
    if (clock) settle(clock());
    waitingNodes[depth] = node;
    waitingProbes[depth] = current;
    depth += 1;
    // A function that calls itself stays where it is.
    if (functions[node] !== fn) {
      const known = /** @type {number[]} */ (callees[node])[fn];
      if (known !== undefined) node = known;
      else if (parents.length < MAX_NODES && depth < MAX_DEEP) {
        const made = addNode(node, fn);
        /** @type {number[]} */ (callees[node])[fn] = made;
        node = made;
      }
    }
    calls[node] = (calls[node] || 0) + 1;
    current = 0;
    if (clock) last = clock();
  }

  /** It ends. */
  function leave() {
    if (clock) settle(clock());
    depth -= 1;
    node = waitingNodes[depth] || 0;
    current = waitingProbes[depth] || 0;
    if (clock) last = clock();
  }

  /** It ends with a value. @param {unknown} value */
  function leaveWith(value) {
    leave();
    return value;
  }

  function begin() {
    depth = 0;
    node = 0;
    current = 0;
  }

  /** A statement begins. @param {number} at */
  function probe(at) {
    if (clock) settle(clock());
    const ofNode = /** @type {number[]} */ (times[node]);
    ofNode[at] = (ofNode[at] || 0) + 1;
    current = at;
    if (clock) last = clock();
  }

  function read() {
    const nodes = [];
    for (let at = 0; at < parents.length; at++) {
      const row = [parents[at], functions[at], calls[at]];
      const ofNode = /** @type {number[]} */ (times[at]);
      for (let one = 0; one < ofNode.length; one++) {
        if (ofNode[one] === undefined) continue;
        row[row.length] = one;
        row[row.length] = ofNode[one];
        row[row.length] = nanoseconds[at]?.[one] || 0;
        row[row.length] = stretches[at]?.[one] || 0;
      }
      nodes[at] = row;
    }
    return stringify({ nodes, empty });
  }

  /** @type {[string, Function][]} */
  const named = [
    ['e', enter],
    ['l', leave],
    ['v', leaveWith],
    ['p', probe],
  ];
  for (let at = 0; at < named.length; at++) {
    const [letter, value] = /** @type {[string, Function]} */ (named[at]);
    define(realm, prefix + letter, { value, enumerable: false, writable: false, configurable: false });
  }

  reset();
  return { read, reset, begin };
}

/** The function above as a text. */
export const WATCH_CALLS = watchCalls.toString();
