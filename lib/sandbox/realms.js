// Makes the two realms that a function of a design document runs in: that of the query server and its own. Fresh ones for functions that are kept, and
// warm ones for jobs: made once for each thread, and put back by writing the engine's memory as it was then (a snapshot). Foreign code then finds
// nothing that another job left.

import { ENVIRONMENT } from './environment.js';

/** @import { QuickJSContext, QuickJSHandle, QuickJSRuntime, QuickJSWASMModule } from 'quickjs-emscripten-core' */

/** What CouchDB gives its functions: no promises, proxies or typed arrays (couchjs.c add_cx_methods, 3.5.0). */
const INTRINSICS = { BaseObjects: true, Eval: true, JSON: true, RegExp: true, MapSet: true, Date: true };

/** `opened`: realms of modules, made while foreign code runs. @typedef {{server: QuickJSContext, foreign: QuickJSContext, opened: QuickJSContext[], served: QuickJSHandle, compile: QuickJSHandle, call: QuickJSHandle}} Realms */

/** Realms of modules in one pair of realms. */
const MAX_OPENED = 100;

/** @returns {boolean} */
const goesOn = () => false;

/**
 * @typedef {object} RealmSource
 * @property {QuickJSRuntime} runtime
 * @property {() => Realms} open
 * @property {(realms: Realms) => void} leave
 * @property {() => boolean} close whether all memory was given back
 * @property {() => boolean} isOver is called after each STEPS_PER_INTERRUPT steps of foreign code: whether it is to be stopped
 */

/** Realms of a runtime of their own. @implements {RealmSource} */
export class FreshRealms {
  /** @param {QuickJSWASMModule} quickjs */
  constructor(quickjs) {
    this.isOver = goesOn;
    this.runtime = quickjs.newRuntime();
    this.runtime.setInterruptHandler(() => this.isOver());
  }

  /** @returns {Realms} @throws {Error} where the engine has no memory for them */
  open() {
    return makeRealms(this.runtime);
  }

  /** @param {Realms} realms */
  leave({ server, foreign, opened, served, compile, call }) {
    compile.dispose();
    call.dispose();
    served.dispose();
    for (const realm of opened) realm.dispose();
    foreign.dispose();
    server.dispose();
  }

  /** @returns {boolean} */
  close() {
    try {
      this.runtime.dispose();
      return true;
    } catch {
      return false;
    }
  }
}

/**
 * One pair of realms for all jobs of a thread, each of which finds them as they were made: nothing else may use the engine.
 * @implements {RealmSource}
 */
export class WarmRealms {
  #realms;
  /** The memory of the engine in use, below and above its stack. @type {{at: number, bytes: Uint8Array}[]} */
  #images;

  /** @param {QuickJSWASMModule} quickjs */
  constructor(quickjs) {
    this.isOver = goesOn;
    this.runtime = quickjs.newRuntime();
    // That there is one is part of the engine's memory.
    this.runtime.setInterruptHandler(() => this.isOver());
    this.memory = quickjs.getWasmMemory();
    this.#realms = makeRealms(this.runtime);
    this.#images = imagesOf(new Uint32Array(this.memory.buffer));
  }

  /** @returns {Realms} */
  open() {
    const memory = new Uint8Array(this.memory.buffer);
    for (const { at, bytes } of this.#images) memory.set(bytes, at);
    // What the engine held of them is gone: nothing is left to dispose of.
    this.#realms.opened.length = 0;
    return this.#realms;
  }

  /** What they hold is gone when they are opened again. */
  leave() {}

  /** @returns {boolean} */
  close() {
    return true;
  }
}

/**
 * @param {Uint32Array} words
 * @returns {{at: number, bytes: Uint8Array}[]} copies of what is in use: all but the longest run of zeros before the last byte. That is the stack (5 of
 *   5.5 MB), which is empty between calls, so that nothing reads what was in it.
 */
function imagesOf(words) {
  let [stack, stackEnd, start, end] = [0, 0, 0, 0];
  for (let at = 0; at < words.length; at += 1) {
    if (words[at] === 0) continue;
    if (at - end > stackEnd - stack) [stack, stackEnd] = [end, at];
    end = at + 1;
  }
  const size = words.BYTES_PER_ELEMENT;
  return [
    [start, stack],
    [stackEnd, end],
  ].map(([from = 0, to = 0]) => ({
    at: from * size,
    bytes: new Uint8Array(words.buffer, from * size, (to - from) * size).slice(),
  }));
}

/**
 * @param {QuickJSRuntime} runtime
 * @returns {Realms}
 * @throws {Error} where the engine has no memory for them
 */
function makeRealms(runtime) {
  const server = runtime.newContext({ intrinsics: INTRINSICS });
  const foreign = runtime.newContext({ intrinsics: INTRINSICS });
  try {
    return serve(server, foreign);
  } catch (error) {
    foreign.dispose();
    server.dispose();
    throw error;
  }
}

/** @param {QuickJSContext} server @param {QuickJSContext} foreign @returns {Realms} */
function serve(server, foreign) {
  const made = server.unwrapResult(server.evalCode(ENVIRONMENT));
  const evaluate = foreign.getProp(foreign.global, 'eval');
  /** @type {QuickJSContext[]} */
  const opened = [];
  const openRealm = server.newFunction('openRealm', () => {
    if (opened.length === MAX_OPENED) throw new Error('too many modules');
    const realm = server.runtime.newContext({ intrinsics: INTRINSICS });
    opened.push(realm);
    return realm.global.dup();
  });
  const served = server.unwrapResult(server.callFunction(made, server.undefined, foreign.global, evaluate, openRealm));
  openRealm.dispose();
  evaluate.dispose();
  made.dispose();
  return {
    server,
    foreign,
    opened,
    served,
    compile: server.getProp(served, 'compile'),
    call: server.getProp(served, 'call'),
  };
}
