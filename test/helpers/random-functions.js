// Writes random functions as people might write them, and documents to run them with. The same seed gives the same.
// `/*tick*/` marks where loops and blocks begin, so that the caller can stop the function there.

/** @typedef {() => number} Random from 0 up to 1 */

const FIELDS = ['a', 'b', 'total', 'lines', 'type'];
const LITERALS = ['1', '0', '2', "'x'", "''", "'order'", 'null', 'true', 'false', 'undefined', '[]', '{}', '[1, 2]'];
const COMPUTED = [
  'JSON.parse(JSON.stringify(doc))',
  'Object.assign({}, doc)',
  '({ ...doc, total: 1 })',
  'parseFloat(doc.total)',
  'Number(doc.a)',
  'String(doc.b)',
  "('' + doc.a).split('.')",
  "('' + doc.b).length",
  'Object.keys(doc)',
  '(doc.lines || []).map(function (l) { return l.total; })',
  '(doc.lines || []).filter(function (l) { return l; })',
  '(doc.lines || []).slice()',
  '(doc.lines || []).reduce(function (s, l) { return s + (l.total || 0); }, 0)',
  "(doc.lines || []).reduce(function (s, l) { return typeof l.total === 'number' ? s + l.total : s; }, 0)",
  '(doc.a || []).length',
  "(typeof doc.b === 'string' ? doc.b.length : 0)",
  '(Array.isArray(doc.lines) && doc.lines.length)',
  'typeof doc.a',
  '!doc.a',
  '+doc.total',
  'doc.a?.b',
  '(doc.b ?? 1)',
];

/**
 * @param {number} seed
 * @returns {Random} xorshift32
 */
export function randomOf(seed) {
  let state = (seed * 7919 + 17) >>> 0 || 1;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) / 0x1_0000_0000;
  };
}

/**
 * @param {Random} random
 * @returns {Record<string, unknown>} a document with any of the fields, of any types
 */
export function randomDocument(random) {
  /** @param {number} depth @returns {unknown} */
  const value = (depth) => {
    const simple = [null, true, false, 0, 1, -3, 4.5, '', 'x', 'order', '7', '-'];
    if (depth === 0 || random() < 0.7) return simple[Math.floor(random() * simple.length)];
    return random() < 0.5
      ? Array.from({ length: Math.floor(random() * 3) }, () => value(depth - 1))
      : object(depth - 1);
  };
  /** @param {number} depth @returns {Record<string, unknown>} */
  const object = (depth) => Object.fromEntries(FIELDS.filter(() => random() < 0.5).map((name) => [name, value(depth)]));
  const lines = Array.from({ length: 1 + Math.floor(random() * 3) }, () => object(1));
  return {
    _id: random() < 0.5 ? 'order:1' : '_design/shop',
    _rev: '1-a',
    ...object(2),
    ...(random() < 0.4 ? { type: 'order' } : {}),
    ...(random() < 0.4 ? { lines } : {}),
  };
}

/** Writes functions of the documents above. */
export class FunctionWriter {
  /** Names that the code being written can use. @type {string[]} */
  #names = [];
  /** @type {string[]} */
  #functions = [];
  #count = 0;

  /** @param {Random} random */
  constructor(random) {
    this.random = random;
  }

  /** @returns {string} */
  map() {
    this.#names = [];
    this.#functions = [];
    return `function (doc) {\n${this.#statements(2 + this.#below(4), 3)}\n}`;
  }

  /** @returns {string} */
  filter() {
    this.#names = [];
    const early = Array.from({ length: this.#below(3) }, () => {
      const result = this.#pick(['true', 'false', 'doc.a', '!doc.b', '0', "'x'"]);
      return `if (${this.condition(2)}) return ${result};`;
    });
    const last = this.#pick([
      `return ${this.condition(2)};`,
      `return !!(${this.condition(2)});`,
      `if (${this.condition(2)}) { return true; }`,
      `switch (doc.type) { case 'order': return true; default: return ${this.condition(1)}; }`,
    ]);
    return `function (doc, req) {\n${[...early, last].join('\n')}\n}`;
  }

  /** @returns {string} */
  validation() {
    this.#names = [];
    const fault = () =>
      this.#pick(['null.a', 'doc.zero.b', "JSON.parse('{')", "JSON.parse('{}')", '(void 0).c = 1', 'null[0]']);
    const parts = Array.from({ length: 1 + this.#below(3) }, () => {
      const act = this.#pick(["throw({ forbidden: 'no' })", "throw({ unauthorized: 'no' })", 'return false', 'return']);
      return this.#pick([
        `if (${this.condition(2)}) ${act};`,
        `if (oldDoc && oldDoc.type !== doc.type) ${act};`,
        `if (userCtx.roles.indexOf('_admin') === -1) ${act};`,
        `need('${this.#pick(FIELDS)}');`,
        `try { if (${this.condition(1)}) throw({ forbidden: 'no' }); } catch (e) { ${this.#pick(['throw e;', ''])} }`,
        'if (doc._deleted) return;',
        `if (${this.#pick(['', 'userCtx.name && '])}doc.${this.#pick(FIELDS)} !== userCtx.name) ${act};`,
        `${fault()};`,
        `if (${this.condition(1)}) ${fault()};`,
        `try { ${fault()}; } catch (e) { ${this.#pick([fault(), '', 'return'])}; }`,
      ]);
    });
    const need = "function need(name) { if (!doc[name]) throw({ forbidden: 'no ' + name }); }";
    return `function (doc, oldDoc, userCtx) {\n${[need, ...parts].join('\n')}\n}`;
  }

  /**
   * @param {number} depth
   * @returns {string}
   */
  condition(depth) {
    const name = this.#name() ?? this.#field();
    const other = this.#pick(["'order'", '1', 'null', 'undefined', "''", '0']);
    const simple = [
      () => name,
      () => `typeof ${name} ${this.#pick(['===', '!=='])} '${this.#pick(['number', 'string', 'object', 'undefined'])}'`,
      () => `${name} ${this.#pick(['===', '!==', '!=', '=='])} ${other}`,
      () => `${name} ${this.#pick(['>', '<', '>=', '<='])} ${this.#pick(['0', '5', '-1'])}`,
      () => `${this.#pick(['Array.isArray', 'isNaN', 'isFinite', 'Number.isFinite', 'Boolean'])}(${name})`,
      () => this.#pick(["'a' in doc", "doc.hasOwnProperty('total')", 'doc.lines && doc.lines.length']),
    ];
    if (depth === 0 || this.random() < 0.6) return this.#pick(simple)();
    const inner = () => this.condition(depth - 1);
    return this.#pick([
      () => `!(${inner()})`,
      () => `(${inner()} && ${inner()})`,
      () => `(${inner()} || ${inner()})`,
    ])();
  }

  /**
   * @param {number} depth
   * @returns {string}
   */
  #expression(depth) {
    const inner = () => this.#expression(depth - 1);
    const simple = () =>
      this.#pick([() => this.#field(), () => this.#name() ?? 'doc', () => this.#pick(LITERALS), () => 'doc'])();
    if (depth === 0 || this.random() < 0.4) return simple();
    const name = this.#name() ?? 'doc';
    return this.#pick([
      () => `(${inner()} ${this.#pick(['+', '-', '*', '/', '&&', '||'])} ${inner()})`,
      () => `(${this.condition(1)} ? ${inner()} : ${inner()})`,
      () => this.#pick(COMPUTED),
      () => (this.#functions.length > 0 ? `${this.#pick(this.#functions)}(${inner()})` : inner()),
      () => `[${inner()}, ${inner()}]`,
      () => `({ a: ${inner()}, total: ${inner()} })`,
      () => `(${name} && ${name}.${this.#pick(FIELDS)})`,
      () => (name === 'doc' ? inner() : `(${name} = ${inner()})`),
      () => `(function (p) { return p && p.${this.#pick(FIELDS)}; })(${inner()})`,
    ])();
  }

  /**
   * @param {number} depth
   * @returns {string}
   */
  #statement(depth) {
    const emit = () => `emit(${this.#pick(['doc._id', '1', this.#expression(1)])}, ${this.#expression(2)});`;
    const simple = [emit, emit, () => 'emit(doc._id);', () => this.#declaration(), () => this.#change()];
    if (depth === 0 || this.random() < 0.4) return this.#pick(simple)();
    const block = () => this.#block(depth);
    const counter = this.#newName();
    return this.#pick([
      () => `if (${this.condition(2)}) ${block()}`,
      () => `if (${this.condition(2)}) ${block()} else ${block()}`,
      () => `if (${this.condition(2)}) return;`,
      () => this.#within(counter, () => `(doc.lines || []).forEach(function (${counter}) ${block()});`),
      () => this.#within(counter, () => `for (let ${counter} of doc.lines || []) ${block()}`),
      () => this.#within(counter, () => `for (var ${counter} in doc) ${block()}`),
      () => {
        const head = `var ${counter} = 0; ${counter} < 3; ${counter}++`;
        const leave = `if (${this.condition(1)}) ${this.#pick(['break', 'continue'])};`;
        return `for (${head}) {/*tick*/\n${this.#statements(1, depth - 1)}\n${leave}\n${this.#statements(1, depth - 1)}\n}`;
      },
      () => {
        const body = this.#apart(counter, () => `${this.#statements(1, depth - 1)}\nreturn ${this.#expression(1)};`);
        const name = this.#newName();
        this.#functions.push(name);
        return `var ${name} = function (${counter}) {/*tick*/\n${body}\n};`;
      },
      () => {
        const part = this.#pick([`${counter}.total`, `(typeof ${counter}.total === 'number' ? ${counter}.total : 1)`]);
        const sum = this.#newName();
        const grow = this.#pick([`${sum} += ${part}`, `${sum} = ${sum} + ${part}`, `${sum} += ${part} + ${sum}`]);
        const loop = this.#pick([
          `(doc.lines || []).forEach(function (${counter}) { ${grow}; });`,
          `for (const ${counter} of doc.lines || []) { ${grow}; }`,
        ]);
        return `var ${sum} = 0; ${loop} emit(1, ${sum});`;
      },
      () => `try ${block()} catch (e) ${block()}`,
      () => `switch (${this.#field()}) {\ncase 'order': ${emit()} break;\ncase 1: ${emit()}\ndefault: ${emit()}\n}`,
      () => `${this.condition(2)} && ${emit()}`,
    ])();
  }

  /** @param {number} count @param {number} depth @returns {string} */
  #statements(count, depth) {
    return Array.from({ length: count }, () => this.#statement(depth)).join('\n');
  }

  /** @param {number} depth @returns {string} with names of its own */
  #block(depth) {
    const [names, functions] = [this.#names.length, this.#functions.length];
    const block = `{/*tick*/\n${this.#statements(1 + this.#below(2), depth - 1)}\n}`;
    this.#names.length = names;
    this.#functions.length = functions;
    return block;
  }

  /** @param {string} name @param {() => string} write @returns {string} */
  #within(name, write) {
    this.#names.push(name);
    const written = write();
    this.#names = this.#names.filter((other) => other !== name);
    return written;
  }

  /** A function body, which calls no other: it could call itself. @param {string} name @param {() => string} write */
  #apart(name, write) {
    const [names, functions] = [this.#names, this.#functions];
    this.#names = [...names, name];
    this.#functions = [];
    const written = write();
    this.#names = names;
    this.#functions = functions;
    return written;
  }

  /** @returns {string} */
  #declaration() {
    const value = this.#expression(2);
    const name = this.#newName();
    this.#names.push(name);
    return `${this.#pick(['var', 'let'])} ${name} = ${value};`;
  }

  /** @returns {string} */
  #change() {
    const name = this.#name();
    if (name === undefined) return this.#declaration();
    const isOwn = `typeof ${name} === 'object' && ${name} && ${name} !== doc`;
    return this.#pick([
      () => `${name} ${this.#pick(['=', '+=', '-='])} ${this.#expression(2)};`,
      () => `${name}++;`,
      () => `if (${isOwn}) ${name}.${this.#pick(FIELDS)} = ${this.#expression(1)};`,
      () => `if (Array.isArray(${name}) && !Object.isFrozen(${name})) ${name}.push(${this.#expression(1)});`,
    ])();
  }

  /** @returns {string} */
  #field() {
    return this.random() < 0.7 ? `doc.${this.#pick(FIELDS)}` : `doc.${this.#pick(FIELDS)}.${this.#pick(FIELDS)}`;
  }

  /** @returns {string | undefined} */
  #name() {
    return this.#names.length > 0 && this.random() < 0.6 ? this.#pick(this.#names) : undefined;
  }

  /** @returns {string} */
  #newName() {
    this.#count += 1;
    return `v${this.#count}`;
  }

  /** @param {number} limit @returns {number} */
  #below(limit) {
    return Math.floor(this.random() * limit);
  }

  /** @template T @param {readonly T[]} list @returns {T} */
  #pick(list) {
    return /** @type {T} */ (list[this.#below(list.length)]);
  }
}
