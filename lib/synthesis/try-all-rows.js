// Questions about rows in, each with its trial out. Remembers what was tried before, and starts the sandbox only where something
// is new.

import { TRIAL_VERSION } from './try-rows.js';

/** @import { RowQuestion, RowTrial } from './try-rows.js' */

/** Where trials are kept between runs. @typedef {{get: (question: string) => RowTrial | undefined, set: (question: string, trial: RowTrial) => void}} TrialMemory */

/**
 * @template {{trial: RowTrial | undefined}} S
 * @param {{subject: S, question: RowQuestion}[]} asked their trials are set
 * @param {TrialMemory} [memory]
 * @returns {Promise<void>}
 */
export async function tryAllRows(asked, memory) {
  /** @type {Map<string, {question: RowQuestion, subjects: S[]}>} */
  const open = new Map();
  for (const { subject, question } of asked) {
    const text = JSON.stringify(['rows', TRIAL_VERSION, question]);
    subject.trial = memory?.get(text);
    if (subject.trial) continue;
    const alike = open.get(text) ?? { question, subjects: [] };
    alike.subjects.push(subject);
    open.set(text, alike);
  }
  if (open.size === 0) return;
  const [{ tryRows }, { openSandbox }] = await Promise.all([import('./try-rows.js'), import('../sandbox/sandbox.js')]);
  const sandbox = openSandbox();
  try {
    for (const [text, { question, subjects }] of open) {
      const trial = await tryRows(question, sandbox);
      if (!trial.isCutOff) memory?.set(text, trial);
      for (const subject of subjects) subject.trial = trial;
    }
  } finally {
    await sandbox.close();
  }
}
