// Functions of design documents that are called again and again in this very process, without a thread between: for servers that
// index. They run in QuickJS within limits, as all foreign code does.

import { newQuickJSWASMModuleFromVariant } from 'quickjs-emscripten-core';
import { DEFAULT_LIMITS } from './limits.js';
import { JobRun } from './run-job.js';

/** @import { SandboxError } from './limits.js' */

/**
 * @typedef {object} KeptFunctions
 * @property {(source: string) => (doc: unknown) => [key: unknown, value: unknown][]} map nothing where it throws, as in CouchDB
 * @property {(source: string) => (keys: unknown, values: unknown, rereduce: boolean) => unknown} reduce throws where it does
 */

/** A function that takes longer for one document is none that is to be measured, in milliseconds. */
const CALL_MS = 1000;
/** The newest functions are kept; an engine for each. */
const MOST_KEPT = 16;

/** @returns {Promise<KeptFunctions>} */
export async function keepFunctions() {
  const quickjs = await newQuickJSWASMModuleFromVariant(import('@jitl/quickjs-wasmfile-release-sync'));
  const limits = { ...DEFAULT_LIMITS, callMs: CALL_MS, batchMs: Number.POSITIVE_INFINITY };
  /** @type {Map<string, JobRun>} */
  const kept = new Map();
  /**
   * @param {'map' | 'reduce'} kind
   * @param {string} source
   * @returns {(input: unknown) => {value: any} | {error: SandboxError}}
   */
  const keep = (kind, source) => (input) => {
    const name = `${kind} ${source}`;
    let run = kept.get(name);
    if (!run) {
      const setup = JSON.stringify({ kind, source, libraries: null, answerCharacters: limits.answerCharacters });
      run = new JobRun(quickjs, { kind, setup, inputs: [], limits, isFresh: false, goesOn: false });
      kept.set(name, run);
      for (const [oldest, other] of kept) {
        if (kept.size <= MOST_KEPT) break;
        kept.delete(oldest);
        other.close();
      }
    }
    const answer = run.answer(JSON.stringify(input));
    return 'error' in answer ? { error: answer.error } : { value: JSON.parse(answer.text) };
  };
  return {
    map(source) {
      const call = keep('map', source);
      return (doc) => {
        const answer = call(doc);
        return 'error' in answer ? [] : answer.value;
      };
    },
    reduce(source) {
      const call = keep('reduce', source);
      return (keys, values, rereduce) => {
        const answer = call([keys, values, rereduce]);
        if ('error' in answer) throw new Error(answer.error.message);
        return answer.value[0];
      };
    },
  };
}
