// Loads modules of a design document for foreign code as the query server does, written for the engine of the sandbox: its text runs there and nowhere else.

/** @typedef {{current: any, parent?: Module, id?: string, exports?: any}} Module */

/** Members of the query server's realm, taken before foreign code could change them. @typedef {{cut: (value: string, from: number, to?: number) => string, split: (value: string, separator: string) => string[], lastIndexOf: (value: string, part: string) => number, stringify: (value: unknown) => string}} Own */

/**
 * @param {unknown} designDoc
 * @param {Record<string, unknown>} sandbox `this` of modules
 * @param {() => (text: string) => any} evaluateIn gives `eval` of the realm that a module is to run in
 * @param {Own} own
 * @returns {(path: unknown) => unknown} `require`
 */
function makeRequire(designDoc, sandbox, evaluateIn, { cut, split, lastIndexOf, stringify }) {
  const { apply } = Reflect;
  const text = String;
  /** Exports by the path of their module. @type {Record<string, unknown>} */
  const loaded = Object.create(null);

  /**
   * Finds a module by its path (share/server/util.js resolveModule, 3.5.0): from the design document, or with `.` and `..`
   * from the folder of the module that requires it.
   * @param {string} path
   * @param {Module | undefined} folder
   * @returns {Module}
   */
  function findModule(path, folder) {
    const names = split(path, '/');
    let at = /** @type {Module} */ (folder ?? { current: undefined });
    for (let step = 0; step < names.length; step++) {
      const name = /** @type {string} */ (names[step]);
      if (name === '.' || name === '..') {
        const up = name === '..' ? at.parent?.parent : at.parent;
        if (!up) throw ['error', 'invalid_require_path', `Object has no parent ${stringify(at.current)}`];
        const id = at.id ?? '';
        if (name === '..') at = { current: at.parent?.current, parent: up, id: cut(id, 0, lastIndexOf(id, '/')) };
        else at = { current: at.current, parent: at.parent, id };
      } else {
        if (step === 0) at = { current: designDoc };
        if (at.current === null || at.current === undefined || at.current[name] === undefined) {
          throw ['error', 'invalid_require_path', `Object has no property "${name}". ${stringify(at.current)}`];
        }
        at = { current: at.current[name], parent: at, id: at.id ? `${at.id}/${name}` : name };
      }
    }
    if (typeof at.current !== 'string') {
      throw ['error', 'invalid_require_path', `Must require a JavaScript string, not: ${typeof at.current}`];
    }
    return { current: at.current, parent: at.parent, id: at.id, exports: {} };
  }

  /** @param {unknown} path @param {Module} [asking] */
  function load(path, asking) {
    const found = findModule(text(path), asking?.parent);
    const id = /** @type {string} */ (found.id);
    if (!(id in loaded)) {
      // Modules that require each other see what is exported so far.
      loaded[id] = {};
      try {
        const run = evaluateIn()(`(function (module, exports, require) { ${found.current}\n });`);
        apply(run, sandbox, [found, found.exports, (/** @type {unknown} */ inner) => load(inner, found)]);
      } catch (error) {
        throw ['error', 'compilation_error', `Module require('${text(path)}') raised error ${text(error)}`];
      }
      loaded[id] = found.exports;
    }
    return loaded[id];
  }
  return (path) => load(path);
}

/** The function above as a text. */
export const LOAD_MODULES = `(${makeRequire.toString()})`;
