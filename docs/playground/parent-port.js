// Provides the other end of the sandbox's thread, in a web worker.

/** `parentPort` of `node:worker_threads`. */
export const parentPort = {
  /** @param {unknown} message */
  postMessage: (message) => globalThis.postMessage(message),
  /** @param {'message'} event @param {(value: unknown) => void} listener */
  on: (event, listener) => globalThis.addEventListener(event, ({ data }) => listener(data)),
};

/** `workerData` of `node:worker_threads`: the thread compiles its engine. */
export const workerData = { engine: undefined };
