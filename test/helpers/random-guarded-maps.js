// Writes random maps that test parts of a document and emit parts of it, often different ones; and documents that fit such maps, or nearly fit. What
// reading claims of the emitted values is checked against what these emit. The same seed gives the same. `/*tick*/` marks where loops begin, so that
// the caller can stop the map there.

/** @import { Random } from './random-functions.js' */

/** What stands in a document where a number was meant. */
const ODD = [null, true, false, '', '7', 'x', 'Infinity', '1e999', [], [1], ['x'], {}, { n: 1 }, -0, 0, -2.5, 1e15];

/** Fields that hold numbers where a document fits. */
const NUMBERS = ['doc.n', 'doc.p', "doc['n']", 'doc.o.n', 'doc.o.q', 'doc.m.a', 'doc.m.b'];
const LISTS = ['doc.v', 'doc.w'];
/** Conversions to a number. @type {((place: string) => string)[]} */
const CONVERTED = [
  (place) => `+${place}`,
  (place) => `Number(${place})`,
  (place) => `parseInt(${place}, 10)`,
  (place) => `Math.floor(${place})`,
  (place) => `(${place} - 0)`,
];
const TYPES = ['number', 'number', 'number', 'string', 'object', 'undefined', 'boolean'];

/**
 * @param {Random} random
 * @returns {Record<string, unknown>} a document whose fields are what maps expect, or all but one to three of them
 */
export function guardedDocument(random) {
  const below = (/** @type {number} */ limit) => Math.floor(random() * limit);
  const number = () => [0, 1, 2, 3, -1, 2.5, 10, 1e6][below(8)];
  const list = (/** @type {() => unknown} */ make) => Array.from({ length: below(4) }, make);
  /** @type {Record<string, any>} */
  const document = {
    _id: 'order:1',
    _rev: '1-a',
    k: 'north',
    s: 'a/b c',
    i: below(2),
    key: ['a', 'b', 'n'][below(3)],
    n: number(),
    p: number(),
    v: list(number),
    w: list(number),
    o: { n: number(), q: number() },
    m: { a: number(), b: number() },
    items: list(() => ({ n: number(), q: number(), t: 'x' })),
  };
  const faults = random() < 0.25 ? 0 : 1 + below(3);
  for (let count = 0; count < faults; count += 1) spoil(document, random);
  return document;
}

/** @param {Record<string, any>} document changed @param {Random} random */
function spoil(document, random) {
  const below = (/** @type {number} */ limit) => Math.floor(random() * limit);
  /** @type {any} */
  let holder = document;
  /** @type {string[]} */
  let names = ['n', 'p', 's', 'i', 'key', 'v', 'w', 'o', 'm', 'items'];
  for (;;) {
    const name = /** @type {string} */ (names[below(names.length)]);
    const inner = holder[name];
    const within = inner !== null && typeof inner === 'object' ? Object.keys(inner) : [];
    if (within.length > 0 && random() < 0.85) {
      holder = inner;
      names = within;
      continue;
    }
    if (random() < 0.2 && !Array.isArray(holder)) delete holder[name];
    else holder[name] = structuredClone(ODD[below(ODD.length)]);
    return;
  }
}

/** Writes maps over the documents above. */
export class GuardedMapWriter {
  /** Names in scope by what they hold. @type {{value: string[], index: string[], key: string[], list: string[], object: string[], fn: string[], number: string[]}} */
  #names = { value: [], index: [], key: [], list: [], object: [], fn: [], number: [] };
  #count = 0;
  #tags = 0;
  #inLoop = 0;
  /** Labels around, the innermost last. @type {{name: string, isLoop: boolean}[]} */
  #labels = [];

  /** @param {Random} random */
  constructor(random) {
    this.random = random;
  }

  /** @returns {string} each of its emits has a key of its own, such as `'#1'` */
  map() {
    const helpers = this.random() < 0.3 ? `${this.#helper()}\n` : '';
    return `function (doc) {\n${helpers}${this.#statements(2 + this.#below(3), 3)}\n}`;
  }

  /** @returns {string} the place of something in the document, or a variable */
  #place() {
    const { value, index, object, number } = this.#names;
    return this.#pick([
      () => this.#pick(NUMBERS),
      () => this.#pick(NUMBERS),
      () => `${this.#pick([...LISTS, ...this.#names.list])}[${this.#index()}]`,
      () => `${this.#pick(LISTS)}[${this.#index()}]`,
      () => `doc.items[${this.#index()}].${this.#pick(['n', 'q'])}`,
      () => `doc.m[${this.#key()}]`,
      () => `${this.#pick(['doc', 'doc.o'])}[${this.#key()}]`,
      () => (value.length > 0 ? `${this.#pick(value)}${this.#pick(['', '', '.n', '.q', '[0]', '[1]'])}` : 'doc.n'),
      () => (value.length > 0 ? this.#pick(value) : 'doc.p'),
      () => (object.length > 0 ? `${this.#pick(object)}${this.#pick(['.a', '.b', `[${this.#key()}]`])}` : 'doc.n'),
      () => (number.length > 0 ? this.#pick(number) : 'doc.o.n'),
      () => (index.length > 0 ? this.#pick(index) : 'doc.i'),
    ])();
  }

  /** @returns {string} */
  #index() {
    const { index } = this.#names;
    const name = index.length > 0 ? this.#pick(index) : undefined;
    return this.#pick([
      () => name ?? '0',
      () => name ?? '1',
      () => name ?? 'doc.i',
      () => this.#pick(['0', '1', "'0'"]),
      () => (name ? `${name}${this.#pick([' + 1', '++', ' - 1'])}` : 'doc.i'),
      () => 'doc.i',
    ])();
  }

  /** @returns {string} */
  #key() {
    const { key } = this.#names;
    return key.length > 0 && this.random() < 0.7 ? this.#pick(key) : this.#pick(["'a'", "'n'", 'doc.key', "'b'"]);
  }

  /** @param {number} depth @returns {string} */
  #condition(depth) {
    const place = this.#place();
    const fn = this.#names.fn;
    const simple = [
      () => `typeof ${place} ${this.#pick(['===', '===', '===', '!==', '==', '!='])} '${this.#pick(TYPES)}'`,
      () => `typeof ${place} === 'number'`,
      () => `'number' === typeof ${place}`,
      () => place,
      () => `${place} ${this.#pick(['!=', '!==', '==='])} ${this.#pick(['null', 'undefined', '0', '1'])}`,
      () => `${place} ${this.#pick(['>', '<', '>='])} ${this.#pick(['0', '1', this.#place()])}`,
      () => `${this.#pick(['isFinite', 'Number.isFinite', 'Number.isInteger', '!isNaN', 'Array.isArray'])}(${place})`,
      () =>
        `${place} ${this.#pick(['===', '!==', '=='])} ${this.#pick(CONVERTED)(this.random() < 0.8 ? place : this.#place())}`,
      () => `${place}.constructor === ${this.#pick(['Number', 'String', 'Array'])}`,
      () => `Object.prototype.toString.call(${place}) === '[object ${this.#pick(['Number', 'String', 'Array'])}]'`,
      () => `Array.isArray(${this.#pick([...LISTS, 'doc.items', ...this.#names.value])})`,
      () => (fn.length > 0 ? `${this.#pick(fn)}(${place})` : `typeof ${place} === 'number'`),
    ];
    if (depth === 0 || this.random() < 0.6) return this.#pick(simple)();
    const inner = () => this.#condition(depth - 1);
    return this.#pick([
      () => `!(${inner()})`,
      () => `(${inner()} && ${inner()})`,
      () => `(${inner()} && ${inner()})`,
      () => `(${inner()} || ${inner()})`,
      () => `(${inner()} ? ${inner()} : ${inner()})`,
    ])();
  }

  /** @param {number} depth @returns {string} an expression that gives a number where the document fits */
  #number(depth) {
    const inner = () => this.#number(depth - 1);
    const { fn, list, object } = this.#names;
    if (depth === 0 || this.random() < 0.45) return this.#place();
    return this.#pick([
      () => `(${inner()} ${this.#pick(['+', '-', '*', '/', '%', '**', '|', '&', '>>>'])} ${inner()})`,
      () =>
        `(${inner()} ${this.#pick(['*', '+', '/', '**', '%'])} ${this.#pick(['2', '0.5', '1e300', '400', '0', '1e-300', '-1', '3'])})`,
      () => `(${inner()} ${this.#pick(['||', '||', '&&', '??'])} ${this.#pick(['0', '1', inner()])})`,
      () => `(${this.#condition(1)} ? ${inner()} : ${this.#pick(['0', inner()])})`,
      () =>
        `(${this.#pick(['Number', 'parseFloat', 'parseInt', 'Math.round', 'Math.abs', 'Math.sqrt', 'Math.floor', '-', '+', '~~', '+!'])}(${inner()}))`,
      () =>
        `Math.${this.#pick(['max', 'min'])}(${this.#pick([`${inner()}, 0`, inner(), `...${this.#pick(LISTS)}`, `0, ...${this.#pick(LISTS)}`])})`,
      () => `(${this.#pick(['Number', 'parseFloat'])}(${inner()}) || 0)`,
      () => `${this.#pick([...LISTS, ...LISTS, ...list, 'doc.s', 'doc.items', ...this.#names.value])}.length`,
      () =>
        `${this.#pick(LISTS)}.reduce(function (a, b) { return a + ${this.#pick(['b', 'b', 'Number(b)', "(typeof b === 'number' ? b : 0)", `(b || 0)`])}; }, ${this.#pick(['0', '0', 'doc.n'])})`,
      () =>
        `${this.#pick(LISTS)}.${this.#pick(['indexOf', 'concat', 'slice', 'filter', 'find', 'pop'])}(${this.#pick(['0', 'Number', 'doc.n'])})`,
      () => (fn.length > 0 ? `${this.#pick(fn)}(${inner()})` : inner()),
      () => (object.length > 0 ? `(${this.#pick(object)}.a += ${inner()})` : inner()),
      () => `(${this.#variable() ?? 'doc.zero'}${this.#pick([' = ', ' += ', ' -= '])}${inner()})`,
      () => `new Date(${inner()})${this.#pick(['', '.getTime()', '.getFullYear()'])}`,
      () =>
        `(${this.#pick(['', '+', '-', 'Number'])}(${this.#pick([`new Date(${inner()})`, 'new Date()', `Date.parse(${inner()})`, `!!${inner()}`, this.#condition(0)])})${this.#pick(['', '.getTime()', '.valueOf()', ' - 1', ' * 2'])} ${this.#pick(['|| 0', '|| 0', '&& 1', '+ 1'])})`,
      () => `${this.#filtered()}.reduce(function (a, b) { return a + b; }, 0)`,
      () => `sum(${this.#pick([...LISTS, ...list])})`,
      () =>
        this.#pick([
          '(10 ** 400)',
          '(1e308 * 10)',
          '(0 / 0)',
          '(-1)',
          '1e308',
          'Number.MAX_VALUE * 2',
          'Infinity',
          'Date.now()',
        ]),
    ])();
  }

  /** @returns {string} */
  #emit() {
    this.#tags += 1;
    const value = this.#pick([
      () => this.#place(),
      () => this.#place(),
      () => this.#number(1),
      () => this.#number(2),
      () => `[${this.#number(1)}, ${this.#number(1)}]`,
      () => `{ a: ${this.#number(1)}, b: ${this.#place()} }`,
      () => this.#other(),
    ])();
    return `emit('#${this.#tags}', ${value});`;
  }

  /** @returns {string} a place that is tested, and the same or another one that is emitted */
  #guarded() {
    const place = this.#place();
    const other = this.random() < 0.65 ? place : this.#near(place);
    const guard = this.#pick([
      `typeof ${place} === 'number'`,
      `typeof ${place} == 'number' && ${this.#condition(1)}`,
      `Number.isFinite(${place})`,
      `isFinite(${place})`,
      `!isNaN(${place})`,
      `${place} === ${this.#pick(CONVERTED)(place)}`,
      `typeof ${place} === 'number' || ${this.#condition(0)}`,
      ...this.#names.fn.map((fn) => `${fn}(${place})`),
    ]);
    const between = this.random() < 0.3 ? this.#change() : '';
    this.#tags += 1;
    const value = this.#pick([
      ...[other, other, other, `${other} * 2`, `${place} + ${other}`, `-${other}`, `[${other}]`],
      ...CONVERTED.map((convert) => convert(other)),
    ]);
    const emit = `emit('#${this.#tags}', ${value});`;
    return this.#pick([
      `if (${guard}) { ${between} ${emit} }`,
      `if (${guard}) { ${between} ${emit} }`,
      `if (!(${guard})) ${this.#leave()} ${between} ${emit}`,
      `emit('#${this.#tags}', ${guard} ? ${value} : 0);`,
      `if (typeof ${place} !== 'number') { ${this.#leave()} } ${between} ${emit}`,
    ]);
  }

  /** @returns {string} a list without some of its elements */
  #filtered() {
    const name = this.#newName();
    const test = this.#pick([`typeof ${name} === 'number'`, `isFinite(${name})`, `!isNaN(${name})`, name]);
    const callback = this.#pick([`function (${name}) { return ${test}; }`, 'Number.isFinite', 'isFinite', 'Boolean']);
    return `${this.#pick([...LISTS, ...this.#names.list])}.filter(${callback})`;
  }

  /** @param {string} place @returns {string} one that is written alike */
  #near(place) {
    const { index, value } = this.#names;
    return this.#pick([
      place.replace(/\[[^\]]*\]/, `[${this.#index()}]`),
      place.replace(/\[[^\]]*\]/, `[${this.#key()}]`),
      place.replace(/\.[nqa]$/, '.b'),
      place.replace('doc.v', 'doc.w'),
      index.length > 0 ? place.replace(/x\d+/, this.#pick(index)) : this.#place(),
      value.length > 0 ? this.#pick(value) : this.#place(),
    ]);
  }

  /** @returns {string} something that can be reached in two ways, tested in one of them, changed in the other, or emitted before the change */
  #twoNames() {
    const [name, other] = [this.#newName(), this.#newName()];
    const emit = (/** @type {string} */ value) => `emit('#${++this.#tags}', ${value});`;
    const written = this.#pick(["'x'", 'doc.s', this.#place()]);
    const index = () =>
      this.#pick([
        'Number(doc.i)',
        'Math.floor(doc.p)',
        "doc.s.indexOf('b')",
        'doc.i + 1',
        'parseInt(doc.n)',
        'doc.v.length - 1',
      ]);
    const large = this.#pick(['1e300', '1e308', '1e295 * 1e10', 'Number.MAX_VALUE']);
    return this.#pick([
      () =>
        `var ${name} = ${index()}, ${other} = ${index()}; if (typeof doc.v[${name}] === 'number') ${emit(`doc.v[${other}]`)}`,
      () => `var ${name} = ${this.#place()}; var ${other} = function () { ${name} = ${written}; };
if (typeof ${name} === 'number') { ${this.#pick([`${other}()`, `[1].forEach(${other})`, `doc.v.map(${other})`])}; ${emit(name)} }`,
      () =>
        `var ${name} = ${this.#pick(['{ a: 0 }', '[0]'])}; ${emit(name)} ${name}${this.#pick(['.a', '[0]', '.b'])} = ${written};`,
      () =>
        `var ${name} = { a: 1 }, ${other} = { a: 2 }; (${this.#condition(0)} ? ${name} : ${other}).a = ${written}; ${emit(`${name}.a`)}`,
      () =>
        `var ${name} = 0, ${other} = 0; ${this.#pick(['[1, 2].forEach', 'doc.v.map', 'doc.w.some'])}(function () { ${name} = ${other}; ${other} = ${written}; }); ${emit(name)}`,
      () =>
        `function ${name}(${other}) { arguments[0] = ${written}; return ${other}; } ${emit(`${name}(${this.#pick(['1', 'doc.n'])})`)}`,
      () =>
        `var ${name} = { a: 1 }; ${this.#pick([`[${name}].concat([])[0]`, `[${name}].find(Boolean)`, `[${name}].pop()`, `[${name}].filter(Boolean)[0]`])}.a = ${written}; ${emit(`${name}.a`)}`,
      () =>
        `var ${name} = 1; var ${other} = { ${this.#pick(['toString: function ()', 'get a()', 'valueOf: function ()'])} { ${name} = ${written}; return 'x'; } }; emit('#${++this.#tags}', '' + ${other} + ${other}.a); ${emit(name)}`,
      () =>
        `var ${name} = { a: 1 }; [${name}].forEach(function (${other}) { ${other}.a = ${written}; }); ${emit(`${name}.a`)}`,
      () => `if (typeof ${this.#pick(NUMBERS)} === 'number') ${emit(`${this.#pick(NUMBERS)} * ${large}`)}`,
      () => `if (typeof doc.n === 'number') ${emit(`doc.n * ${large}`)}`,
      () =>
        `var ${name} = ${this.#condition(0)} ? doc.n : doc.p; if (typeof ${name} === 'number') ${emit(this.#pick(['doc.n', 'doc.p', name]))}`,
      () => `var ${name} = ${this.#pick(['JSON.parse(JSON.stringify(doc))', 'Object.assign({}, doc)', '{ ...doc }'])}; ${name}.n = ${written};
if (typeof ${this.#pick([`${name}.n`, 'doc.n'])} === 'number') ${emit(this.#pick([`${name}.n`, 'doc.n']))}`,
    ])();
  }

  /** @returns {string} what is no number, or a whole list or object */
  #other() {
    const { list, object, value } = this.#names;
    const place = this.#place();
    return this.#pick([
      `String(${place})`,
      `'' + ${place}`,
      `JSON.stringify(${place})`,
      `(${place} + '').split('/')[${this.#index()}]`,
      `${place}.toString()`,
      `!${place}`,
      `typeof ${place}`,
      'doc.s.split(" ")',
      'Object.keys(doc.m)',
      'Object.assign({}, doc, { n: "x" }).n',
      '({ ...doc, p: doc.s }).p',
      `Object.assign({ a: 1 }, doc.m).a`,
      'JSON.parse(JSON.stringify(doc)).n',
      `${this.#pick(['doc.v', 'doc.w'])}.map(${this.#pick(['Number', 'String', 'function (e) { return e * 2; }'])})`,
      ...list,
      ...object,
      ...value,
      ...list.map((name) => `${name}[0]`),
      ...list.map((name) => `${name}.sort()[0]`),
    ]);
  }

  /** @param {number} depth @returns {string} */
  #statement(depth) {
    const simple = [
      () => this.#emit(),
      () => this.#guarded(),
      () => this.#guarded(),
      () => this.#guarded(),
      () => `if (${this.#condition(2)}) ${this.#emit()}`,
      () => this.#declaration(),
      () => this.#change(),
      () => this.#twoNames(),
    ];
    if (depth === 0 || this.random() < 0.4) return this.#pick(simple)();
    return this.#pick([
      () => `if (${this.#condition(2)}) ${this.#block(depth)}`,
      () => `if (${this.#condition(2)}) ${this.#block(depth)} else ${this.#block(depth)}`,
      () => `if (${this.#condition(2)}) ${this.#leave()}`,
      () => this.#loop(depth),
      () => this.#loop(depth),
      () =>
        `switch (typeof ${this.#place()}) {\ncase 'number': ${this.#emit()} ${this.#pick(['break;', ''])}\ncase 'string': ${this.#emit()}\n}`,
      () => `try ${this.#block(depth)} catch (e) ${this.#block(depth)}`,
      () => this.#try(depth),
      () => this.#try(depth),
      () => this.#labelled(depth),
      () => this.#labelled(depth),
      () => this.#switch(depth),
      () => this.#class(depth),
      () => this.#tagged(),
      () => this.#default(),
      () => `${this.#condition(1)} && emit('#${++this.#tags}', ${this.#place()});`,
      () => `${this.#helper()}`,
      () => this.#destructure(),
      () => this.#sum(depth),
    ])();
  }

  /** @returns {string} */
  #leave() {
    const named = this.#labels
      .filter(({ name }) => name !== '')
      .flatMap(({ name, isLoop }) => [`break ${name};`, ...(isLoop ? [`continue ${name};`] : [])]);
    const all = [...named, 'return;', 'throw 0;'];
    // In a labelled statement that is no loop, engines differ in what a `break` without a label leaves.
    const isLoop = this.#labels.at(-1)?.isLoop ?? true;
    if (this.#inLoop > 0) all.push('continue;', 'continue;', ...(isLoop ? ['break;'] : []));
    return this.#pick(all);
  }

  /** @param {number} depth @returns {string} a block that is left in any way, or not */
  #leaving(depth) {
    const leave = this.random() < 0.5 ? this.#leave() : '';
    return this.#block(depth).replace(/\n\}$/, () => `\n${leave}\n}`);
  }

  /** @param {number} depth @returns {string} */
  #try(depth) {
    const change = () => (this.random() < 0.6 ? `${this.#change()}\n` : '');
    const finalizer = () => this.#leaving(depth).replace('{/*tick*/', () => `{/*tick*/ ${change()}`);
    return this.#pick([
      () => `try ${this.#leaving(depth)} finally ${finalizer()}`,
      () => `try ${this.#leaving(depth)} catch (e) ${this.#leaving(depth)} finally ${finalizer()}`,
      () => `try ${this.#leaving(depth)} catch ${this.#leaving(depth)}`,
      () => `try { try ${this.#leaving(depth)} finally { ${this.#change()} } } catch (e) ${this.#block(depth)}`,
      () => {
        const [name, item] = [this.#newName(), this.#newName()];
        const value = () => this.#pick(["'x'", 'doc.s', '2', this.#place()]);
        const leave = this.#pick(['continue;', 'continue;', 'break;', 'return;', 'throw 0;']);
        const loop = this.#pick([`for (const ${item} of doc.v)`, `for (var ${item} = 0; ${item} < 2; ${item}++)`]);
        const updating = `for (var ${item} = 0; ${item} < 2; ${item}++, emit('#${++this.#tags}', ${name}))`;
        const tried = `try { ${this.#pick(['', `if (${this.#condition(0)}) `])}${leave} } finally { ${name} = ${value()}; }`;
        const labelled = `${item}: { ${tried.replace(/(?:break|continue);/, `break ${item};`)} ${name} = 1; }`;
        const looped = `${this.#pick([loop, updating])} {/*tick*/ ${tried} ${name} = 1; }`;
        return `var ${name} = 1; ${this.#pick([labelled, looped])} emit('#${++this.#tags}', ${name});`;
      },
    ])();
  }

  /** @param {number} depth @returns {string} a statement of any kind behind a label */
  #labelled(depth) {
    const name = this.#newName();
    const within = (/** @type {boolean} */ isLoop, /** @type {() => string} */ write) => {
      this.#labels.push({ name, isLoop });
      const written = `${name}: ${write()}`;
      this.#labels.pop();
      return written;
    };
    return this.#pick([
      () => within(false, () => `if (${this.#condition(1)}) ${this.#leaving(depth)}`),
      () => within(false, () => `if (${this.#condition(1)}) ${this.#leaving(depth)} else ${this.#leaving(depth)}`),
      () => within(false, () => this.#leaving(depth)),
      () => within(false, () => this.#try(depth)),
      () => within(false, () => this.#switch(depth)),
      () => within(true, () => this.#plainLoop(depth)),
      () => within(true, () => this.#plainLoop(depth)),
      () => within(false, () => `${this.#newName()}: ${this.#leaving(depth)}`),
    ])();
  }

  /** @param {number} depth @returns {string} a loop that is one statement */
  #plainLoop(depth) {
    const name = this.#newName();
    return this.#pick([
      () => `for (let ${name} = 0; ${name} < 3; ${name}++) ${this.#within('index', name, depth)}`,
      () => `for (const ${name} of doc.v) ${this.#within('value', name, depth)}`,
      () => `for (const ${name} in doc.m) ${this.#within('key', name, depth)}`,
    ])();
  }

  /** @param {number} depth @returns {string} with cases that fall through, and a default anywhere */
  #switch(depth) {
    const end = () => this.#pick(['break;', '', '', this.#leave()]);
    const inside = () => this.#statement(depth - 1);
    const cases = [`case 'a':`, `case 1:`, `case doc.i:`, `case 'north':`].slice(this.#below(3));
    cases.splice(this.#below(cases.length + 1), 0, 'default:');
    return `switch (${this.#pick(['doc.k', 'doc.i', 'doc.key', this.#place()])}) {\n${cases.map((head) => `${head} { ${inside()} } ${end()}`).join('\n')}\n}`;
  }

  /** @param {number} depth @returns {string} */
  #class(depth) {
    const [name, outer] = [this.#newName(), this.#newName()];
    const set = `(${outer} = ${this.#pick(["'x'", 'doc.s', '2', this.#number(1)])})`;
    const parts = [
      `[${set}]() { return 1; }`,
      `static a = ${set};`,
      `b = ${set};`,
      `m() { ${set}; return 1; }`,
      `static {/*tick*/ ${this.#apart(() => this.#statement(depth - 1))} }`,
      `static {/*tick*/ if (${this.#condition(0)}) ${set}; }`,
    ].filter(() => this.random() < 0.3);
    const use = this.#pick(['', `new ${name}();`, `new ${name}();`, `new ${name}().m?.();`]);
    const head = this.#pick([`class ${name}`, `var ${name} = class`]);
    return `var ${outer} = 1; ${head} { ${parts.join(' ')} }; ${use} emit('#${++this.#tags}', ${outer});`;
  }

  /** @param {() => string} write @returns {string} what can be left in no way but by throwing */
  #apart(write) {
    const [labels, inLoop] = [this.#labels, this.#inLoop];
    this.#labels = [];
    this.#inLoop = 0;
    const written = write().replaceAll(/\breturn;/g, ';');
    this.#labels = labels;
    this.#inLoop = inLoop;
    return written;
  }

  /** @returns {string} */
  #tagged() {
    const [tag, text, part] = [this.#newName(), this.#newName(), this.#newName()];
    const outer = this.#newName();
    const body = this.#pick([`${outer} = ${part}; return 1;`, `return ${part};`, `${outer} = ${text}[0]; return 1;`]);
    const call = `${tag}\`x${'${'}${this.#number(1)}}y\``;
    const use = this.#pick([`${call}; emit('#${++this.#tags}', ${outer});`, `emit('#${++this.#tags}', ${call});`]);
    return `var ${outer} = 1; function ${tag}(${text}, ${part}) { ${body} } ${use}`;
  }

  /** @returns {string} default values that are used, or are not */
  #default() {
    const [name, other] = [this.#newName(), this.#newName()];
    const outer = this.#variable() ?? 'doc.zero';
    const set = `(${outer} = ${this.#pick(["'x'", '1', 'doc.s', this.#place()])})`;
    this.#names.value.push(name);
    return this.#pick([
      `var { n: ${name} = ${set} } = doc;`,
      `var [${name} = ${set}] = doc.v;`,
      `var ${name} = (function (${other} = ${set}) { return ${other}; })(${this.#pick(['', 'doc.n', '1', 'undefined'])});`,
      `var ${name} = doc.n; ${name} ${this.#pick(['??=', '||=', '&&='])} ${set};`,
      `var ${name} = doc.o; delete ${name === '' ? 'x' : `({ a: ${set} })`}.a;`,
    ]);
  }

  /** @param {number} depth @returns {string} */
  #loop(depth) {
    const list = this.#pick([...LISTS, ...LISTS, 'doc.items', 'doc.items', ...this.#names.list]);
    const name = this.#newName();
    const word = this.#pick(['var', 'let', 'const']);
    return this.#pick([
      () =>
        `for (${this.#pick(['var', 'let'])} ${name} = 0; ${name} < ${list}.length; ${name}++) ${this.#within('index', name, depth)}`,
      () =>
        `for (${this.#pick(['var', 'let'])} ${name} = 0; ${name} < ${list}.length; ${name}++) ${this.#within('index', name, depth)}`,
      () => `for (${word} ${name} in ${list}) ${this.#within('index', name, depth)}`,
      () => `for (${word} ${name} in doc.m) ${this.#within('key', name, depth)}`,
      () => `for (${word} ${name} of ${list}) ${this.#within('value', name, depth)}`,
      () => `for (${word} ${name} of ${list}) ${this.#within('value', name, depth)}`,
      () => this.#callback(list, name, depth),
      () => this.#callback('Object.keys(doc.m)', name, depth, 'key'),
      () => `var ${name} = 0; while (${name} < 3) {/*tick*/\n${this.#body('index', name, depth)}\n${name}++;\n}`,
      () => `var ${name} = 0; do {/*tick*/\n${this.#body('index', name, depth)}\n} while (++${name} < 2);`,
    ])();
  }

  /** @param {string} list @param {string} name @param {number} depth @param {'value' | 'key'} [kind] @returns {string} */
  #callback(list, name, depth, kind = 'value') {
    const second = this.#newName();
    const hasIndex = this.random() < 0.4;
    if (hasIndex) this.#names.index.push(second);
    const body = this.#within(kind, name, depth, 0);
    this.#names.index = this.#names.index.filter((other) => other !== second);
    const method = this.#pick(['forEach', 'forEach', 'map', 'some', 'filter']);
    return `${list}.${method}(function (${name}${hasIndex ? `, ${second}` : ''}) ${body});`;
  }

  /** @param {'value' | 'index' | 'key'} kind @param {string} name @param {number} depth @param {number} [loops] @returns {string} a block */
  #within(kind, name, depth, loops = this.#inLoop + 1) {
    return `{/*tick*/\n${this.#body(kind, name, depth, loops)}\n}`;
  }

  /** @param {'value' | 'index' | 'key'} kind @param {string} name @param {number} depth @param {number} [loops] that it stands in @returns {string} */
  #body(kind, name, depth, loops = this.#inLoop + 1) {
    const before = this.#copyNames();
    const [outside, labels] = [this.#inLoop, this.#labels];
    this.#names[kind] = [...this.#names[kind], name, name];
    this.#inLoop = loops;
    // Labels end where a function begins; a loop inside of a labelled statement is left by a plain `break`.
    if (loops === 0) this.#labels = [];
    else if (labels.length > 0 && loops > outside) this.#labels = [...labels, { name: '', isLoop: true }];
    const written = this.#statements(1 + this.#below(3), depth - 1);
    this.#inLoop = outside;
    this.#labels = labels;
    this.#names = before;
    return written;
  }

  /** @returns {string} */
  #helper() {
    const name = this.#newName();
    const p = this.#newName();
    const outer = this.#variable();
    const body = this.#pick([
      `return typeof ${p} === 'number';`,
      `return typeof ${p} === 'number' ? ${p} : 0;`,
      `return ${p};`,
      `return ${p} && ${p}.n;`,
      `return Number(${p}) || 0;`,
      `return ${p} * 2;`,
      `if (typeof ${p} !== 'number') return 0; return ${p};`,
      `return ${this.#place()};`,
      `return ${this.#pick(LISTS)}[${p}];`,
      outer ? `${outer} = ${p}; return ${p};` : `return +${p};`,
      outer ? `${outer} = doc.s; return 1;` : `return ${p} | 0;`,
      `arguments[0] = 'x'; return ${p};`,
      `try { return ${p}; } finally { ${outer ?? p} = doc.s; }`,
      `try { if (typeof ${p} !== 'number') return ${this.#pick(["'x'", p])}; } finally { ${outer ?? p} = 1; } return 1;`,
      `var o = { a: ${p} }; try { return o; } finally { o.a = doc.s; }`,
    ]);
    this.#names.fn.push(name);
    return this.#pick([
      `function ${name}(${p}) { ${body} }`,
      `var ${name} = function (${p}) { ${body} };`,
      `const ${name} = (${p}) => { ${body.replace('arguments', '[1]')} };`,
    ]);
  }

  /** @returns {string} */
  #destructure() {
    const [first, second] = [this.#newName(), this.#newName()];
    const list = this.#pick(LISTS);
    const text = this.#pick([
      `const [${first}, ${second}] = ${list};`,
      `let [${first} = 0, ${second}] = ${list};`,
      `const { n: ${first}, p: ${second} } = doc;`,
      `var { n: ${first} = 1, o: { q: ${second} } } = doc;`,
      `let [{ n: ${first} }, { n: ${second} }] = doc.items;`,
      `let [, ${first}, ...${second}] = ${list};`,
      `var { a: ${first}, ...${second} } = doc.m;`,
      `const { [doc.key]: ${first}, a: ${second} } = doc.m;`,
    ]);
    this.#names.value.push(first, first, second);
    return text;
  }

  /** @param {number} depth @returns {string} */
  #sum(depth) {
    const name = this.#newName();
    const item = this.#newName();
    const part = this.#pick([
      item,
      `${item}.n`,
      `(typeof ${item} === 'number' ? ${item} : 0)`,
      `Number(${item})`,
      '1',
      name,
    ]);
    const grow = this.#pick([
      `${name} += ${part};`,
      `${name} = ${name} + ${part};`,
      `${name} -= ${part};`,
      `${name} *= ${part};`,
    ]);
    const guard = this.#pick(['', `if (typeof ${item} !== 'number') continue;`, `if (typeof ${item} === 'number') `]);
    const list = this.#pick([...LISTS, 'doc.items']);
    const loop = `var ${name} = ${this.#pick(['0', '0', 'doc.n'])};\nfor (const ${item} of ${list}) {/*tick*/ ${guard}${grow} }`;
    this.#names.number.push(name);
    return depth > 0 && this.random() < 0.5
      ? `${loop}\n${this.#emit()}`
      : `${loop}\nemit('#${++this.#tags}', ${name});`;
  }

  /** @returns {string} */
  #declaration() {
    const word = this.#pick(['var', 'let']);
    const name = this.#newName();
    const [kind, text] = this.#pick([
      () => /** @type {const} */ (['value', this.#place()]),
      () => /** @type {const} */ (['value', `(${this.#condition(0)} ? ${this.#place()} : ${this.#place()})`]),
      () => /** @type {const} */ (['value', this.#pick(['doc.items[0]', 'doc.o', 'doc.v', 'doc.items', 'doc.m'])]),
      () => /** @type {const} */ (['value', this.#number(2)]),
      () => /** @type {const} */ (['index', this.#pick(['0', '1', 'doc.i', 'doc.v.length - 1'])]),
      () => /** @type {const} */ (['key', this.#pick(["'a'", 'doc.key', "'n'"])]),
      () => /** @type {const} */ (['number', this.#number(2)]),
      () =>
        /** @type {const} */ ([
          'list',
          this.#pick([
            '[]',
            `[${this.#place()}, ${this.#number(1)}]`,
            'doc.v.slice()',
            this.#filtered(),
            'doc.s.split("/")',
            ...this.#names.list,
            '[1, 2]',
          ]),
        ]),
      () =>
        /** @type {const} */ ([
          'object',
          this.#pick([
            '{}',
            `{ a: ${this.#place()}, b: ${this.#number(1)} }`,
            '{ a: 0, b: 1 }',
            'JSON.parse(JSON.stringify(doc.m))',
            'Object.assign({}, doc.m)',
            '{ ...doc.m }',
            'JSON.parse(JSON.stringify(doc))',
            ...this.#names.object,
          ]),
        ]),
      () => /** @type {const} */ (['value', this.#condition(1)]),
    ])();
    const written = `${word} ${name} = ${text};`;
    this.#names[kind].push(name);
    return written;
  }

  /** @returns {string} */
  #change() {
    const { index, list, object, key } = this.#names;
    const name = this.#variable();
    const any = [
      ...(name ? [() => `${name} ${this.#pick(['=', '=', '+=', '||=', '??='])} ${this.#number(1)};`] : []),
      ...(index.length > 0 ? [() => `${this.#pick(index)}${this.#pick(['++', ' = 1', ' = 0', '--'])};`] : []),
      ...(key.length > 0 ? [() => `${this.#pick(key)} = ${this.#pick(["'b'", 'doc.key'])};`] : []),
      ...(list.length > 0
        ? [
            () =>
              `${this.#pick(list)}${this.#pick([`.push(${this.#place()})`, `[${this.#index()}] = ${this.#place()}`, '.pop()', '.sort()', '.reverse()', `.fill(${this.#place()})`, `.splice(0, 1, ${this.#place()})`, `.unshift(${this.#place()})`, '.length = 0', `.sort().push(${this.#place()})`])};`,
            () => `Array.prototype.push.apply(${this.#pick(list)}, ${this.#pick(LISTS)});`,
          ]
        : []),
      ...(object.length > 0
        ? [
            () => `${this.#pick(object)}${this.#pick(['.a', '.b', `[${this.#key()}]`, '.n'])} = ${this.#number(1)};`,
            () => `${this.#pick(object)}.a += ${this.#place()};`,
            () => `delete ${this.#pick(object)}.a;`,
            () => `Object.assign(${this.#pick(object)}, ${this.#pick(['doc.m', 'doc', "{ a: 'x' }"])});`,
          ]
        : []),
      () => `doc.n = 'x';`,
      () => `doc.v.push('x');`,
    ];
    const chosen = this.#pick(any);
    return any.length > 2 || this.random() < 0.2 ? chosen() : this.#declaration();
  }

  /** @returns {string | undefined} a variable that can be given another value */
  #variable() {
    const { value, number, index } = this.#names;
    const names = [...value, ...number, ...index];
    return names.length > 0 ? this.#pick(names) : undefined;
  }

  /** @param {number} count @param {number} depth @returns {string} */
  #statements(count, depth) {
    return Array.from({ length: count }, () => this.#statement(depth)).join('\n');
  }

  /** @param {number} depth @returns {string} with names of its own */
  #block(depth) {
    const before = this.#copyNames();
    const block = `{\n${this.#statements(1 + this.#below(2), depth - 1)}\n}`;
    this.#names = before;
    return block;
  }

  #copyNames() {
    const { value, index, key, list, object, fn, number } = this.#names;
    return {
      value: [...value],
      index: [...index],
      key: [...key],
      list: [...list],
      object: [...object],
      fn: [...fn],
      number: [...number],
    };
  }

  /** @returns {string} */
  #newName() {
    this.#count += 1;
    return `x${this.#count}`;
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
