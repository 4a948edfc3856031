// Measures the time of a run's stages, rules and facts, and prints it as tables.

/** @import { Measure } from '../../../engine/pipeline.js' */

/** `own`: without what was measured within. @typedef {{kind: string, name: string, whole: number, own: number}} Row in milliseconds */

/** Rules and facts beyond these take next to nothing. */
const MAX_ROWS = 10;

export class Timing {
  #clock;
  #startedAt;
  /** @type {Map<string, Row>} */
  #rows = new Map();
  /** What is being measured, each within the one before: the time of what ended in it. @type {{within: number}[]} */
  #open = [];

  /** @param {() => number} [clock] milliseconds */
  constructor(clock = () => performance.now()) {
    this.#clock = clock;
    this.#startedAt = clock();
  }

  /** @type {Measure} */
  measure = (kind, name, work) => {
    const startedAt = this.#clock();
    this.#open.push({ within: 0 });
    const end = () => {
      const took = this.#clock() - startedAt;
      const { within = 0 } = this.#open.pop() ?? {};
      const around = this.#open.at(-1);
      if (around) around.within += took;
      const row = this.#rows.get(`${kind} ${name}`) ?? { kind, name, whole: 0, own: 0 };
      this.#rows.set(`${kind} ${name}`, { ...row, whole: row.whole + took, own: row.own + took - within });
    };
    let isPending = false;
    try {
      const result = work();
      isPending = result instanceof Promise;
      if (result instanceof Promise) return /** @type {any} */ (result.finally(end));
      return result;
    } finally {
      if (!isPending) end();
    }
  };

  /** @returns {string} stages in their order, then the rules and facts that took longest */
  render() {
    const all = this.#clock() - this.#startedAt;
    const rows = [...this.#rows.values()];
    const stages = rows.filter(({ kind }) => kind === 'stage').map(({ name, whole }) => ({ name, ms: whole }));
    // A rule pays for the facts that it is the first to use; a fact for itself alone.
    const rules = rows.filter(({ kind }) => kind === 'rule').map(({ name, whole }) => ({ name, ms: whole }));
    const facts = rows.filter(({ kind }) => kind === 'fact').map(({ name, own }) => ({ name, ms: own }));
    return [
      renderTable('Stage', [...stages, { name: 'all', ms: all }], all),
      renderTable('Rule, with the facts it is the first to use', slowest(rules), all),
      renderTable('Fact, without the facts it uses', slowest(facts), all),
    ].join('\n');
  }
}

/** @param {{name: string, ms: number}[]} rows @returns {{name: string, ms: number}[]} */
function slowest(rows) {
  return rows.sort((first, second) => second.ms - first.ms).slice(0, MAX_ROWS);
}

/**
 * @param {string} title
 * @param {{name: string, ms: number}[]} rows
 * @param {number} all milliseconds
 * @returns {string}
 */
function renderTable(title, rows, all) {
  const width = Math.max(title.length, ...rows.map(({ name }) => name.length));
  const lines = rows.map(({ name, ms }) => {
    const share = `${((100 * ms) / all).toFixed(1)}%`;
    return `${name.padEnd(width)} | ${ms.toFixed(1).padStart(9)} | ${share.padStart(8)}`;
  });
  const head = [`${title.padEnd(width)} | Time (ms) | Relative`, `:${'-'.repeat(width)}|----------:|--------:`];
  return `${[...head, ...lines].join('\n')}\n`;
}
