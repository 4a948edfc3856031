// Replaces lib/proof/evidence/answer-threads.js: in a page the threads are those of the sandbox.

export class AnswerThreads {
  /** @returns {number} */
  sizeFor() {
    return 0;
  }

  async close() {}
}
