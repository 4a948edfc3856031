// The little that is used of packages that come without types: PouchDB for the embedded server, autocannon for load; and of WebAssembly.

interface PouchDatabase {
  info(): Promise<unknown>;
  destroy(): Promise<unknown>;
  get(id: string, options?: object): Promise<unknown>;
  put(doc: object): Promise<unknown>;
  post(doc: object): Promise<unknown>;
  remove(id: string, rev: string): Promise<unknown>;
  bulkDocs(docs: unknown, options?: object): Promise<unknown>;
  allDocs(options?: object): Promise<unknown>;
  bulkGet(options: object): Promise<unknown>;
  changes(options: object): Promise<unknown>;
  query(view: string | { map: string; reduce?: string }, options?: object): Promise<unknown>;
  find(request: unknown): Promise<unknown>;
  createIndex(index: unknown): Promise<unknown>;
  getIndexes(): Promise<unknown>;
  on(event: 'error', listener: (error: unknown) => void): unknown;
}

interface PouchChangesFilter {
  filter(
    changes: unknown,
    options: { filter?: unknown; selector?: unknown; complete(error: unknown, result?: unknown): void },
  ): void;
}

interface PouchMaker {
  new (name: string, options: { adapter: string }): PouchDatabase;
  plugin(plugin: object | ((maker: PouchMaker) => void)): PouchMaker;
  _changesFilterPlugin: PouchChangesFilter;
  version: string;
}

declare module 'pouchdb-core' {
  const PouchDB: PouchMaker;
  export default PouchDB;
}

declare module 'pouchdb-adapter-memory' {
  const plugin: object;
  export default plugin;
}

type PouchMapReduce = (
  localDocName: string,
  mapper: (source: unknown, emit: (key: unknown, value: unknown) => void) => (doc: unknown) => void,
  reducer: (source: unknown) => (keys: unknown, values: unknown[], rereduce: boolean) => unknown,
  checkView: (designDoc: { views?: Record<string, unknown>; _id?: string }, view: string) => void,
) => {
  query(this: PouchDatabase, view: unknown, options: unknown, callback: unknown): unknown;
  viewCleanup(this: PouchDatabase, callback: unknown): unknown;
};

declare module 'pouchdb-abstract-mapreduce' {
  const createMapReduce: PouchMapReduce;
  export default createMapReduce;
}

declare module 'pouchdb-find' {
  const plugin: object;
  export default plugin;
}

declare module 'autocannon' {
  import type { EventEmitter } from 'node:events';

  interface Running extends EventEmitter {
    stop(): void;
    then<T>(resolve: (result: { errors: number; timeouts: number }) => T, reject?: (error: unknown) => T): Promise<T>;
  }
  function autocannon(options: object): Running;
  export default autocannon;
}

/** Node.js has it; its types are among those of the browser only. */
declare namespace WebAssembly {
  class Memory {
    constructor(limits: { initial: number; maximum: number });
    readonly buffer: ArrayBuffer;
  }
}
