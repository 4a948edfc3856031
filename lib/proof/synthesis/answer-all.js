// Answers questions about functions. Remembers earlier answers, handles equal questions once, and uses the sandbox only
// where something is new.

/** @import { Sandbox } from '../../sandbox/sandbox.js' */
/** @import { AnswerThreads } from '../evidence/answer-threads.js' */

/** Where answers are kept between runs, but for those with `mayDiffer`: the next run tries these again. @typedef {{get: (question: string) => any, set: (question: string, answer: any) => void}} Memory */

/**
 * @template S, Q
 * @template {{verdict: string, mayDiffer?: boolean}} A
 * @param {{subject: S, question: Q}[]} questions
 * @param {object} options
 * @param {unknown[]} options.about what an answer depends on beside its question: the name and the version of the trial first
 * @param {(question: Q, sandbox: Sandbox) => Promise<A>} options.answer
 * @param {(subject: S, answer: A) => void} options.give is called for each subject
 * @param {Sandbox} options.sandbox
 * @param {Memory | undefined} options.memory keeps no answer that a limit of time or memory cut off
 * @param {{threads: Pick<AnswerThreads, 'sizeFor' | 'answer'>, kind: 'rows' | 'witness'}} [options.many] where threads may answer
 * @param {((progress: {done: number, total: number}) => void) | undefined} [options.onProgress] is called after each question that is new
 * @returns {Promise<void>}
 */
export async function answerAll(questions, { about, answer, give, sandbox, memory, many, onProgress }) {
  /** @type {Map<string, {question: Q, subjects: S[]}>} */
  const open = new Map();
  for (const { subject, question } of questions) {
    const text = JSON.stringify([...about, question]);
    const known = memory?.get(text);
    if (known) {
      give(subject, known);
      continue;
    }
    const alike = open.get(text) ?? { question, subjects: [] };
    alike.subjects.push(subject);
    open.set(text, alike);
  }
  const waiting = [...open];
  const size = many?.threads.sizeFor(waiting.length) ?? 0;
  if (size > 0) sandbox.rest();
  let done = 0;
  const answerInTurn = async () => {
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      const [text, { question, subjects }] = next;
      const own = size > 0 ? await many?.threads.answer(many.kind, question) : undefined;
      const found = own ?? (await answer(question, sandbox));
      memory?.set(text, found);
      for (const subject of subjects) give(subject, found);
      done += 1;
      onProgress?.({ done, total: open.size });
    }
  };
  // While one question waits for the sandbox the next is prepared.
  await Promise.all(Array.from({ length: size || sandbox.threads }, answerInTurn));
}
