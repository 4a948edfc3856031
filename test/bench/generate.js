// Generates design documents of a shop from a seed: any number of views, their functions as mixed as those of real
// projects (style, length, guards, loops, helpers, faults). Pure: equal seeds give equal documents.

/** @typedef {{map: string, reduce?: string}} View */
/** @typedef {{_id: string, language: string, views: Record<string, View>}} DesignDoc */

/** @typedef {object} Chance
 * @property {() => number} next from 0 to below 1
 * @property {<T>(items: readonly T[]) => T} pick
 * @property {(share: number) => boolean} hits */

const TYPES = ['order', 'customer', 'article', 'stock', 'invoice', 'delivery', 'voucher', 'supplier', 'review', 'cart'];
const FIELDS = [
  'status',
  'customer',
  'date',
  'country',
  'city',
  'code',
  'channel',
  'season',
  'brand',
  'currency',
  'grade',
];
const NUMBERS = ['total', 'quantity', 'weight', 'price', 'discount', 'tax', 'shipping', 'stock', 'rating', 'margin'];
const LISTS = ['items', 'tags', 'payments', 'parcels', 'notes', 'labels', 'addresses', 'returns'];
const PARENTS = ['customer', 'address', 'payment', 'warehouse', 'supplier', 'delivery'];
const WORDS = [
  'open orders only',
  'legacy documents have no type',
  'see the stock list',
  'key: [country, city]',
  'newest last',
];
const BUILTIN_REDUCES = ['_count', '_count', '_count', '_sum', '_sum', '_stats', '_approx_count_distinct'];

/** Bodies of maps: `D` is the parameter. @type {((chance: Chance) => string)[]} */
const MAP_BLOCKS = [
  ({ pick }) => `if (D.type === '${pick(TYPES)}') emit(D.${pick(FIELDS)}, null);`,
  ({ pick }) => `if (D.type == '${pick(TYPES)}' && D.${pick(FIELDS)}) {\n  emit(D._id, D.${pick(FIELDS)});\n}`,
  ({ pick }) => `emit([D.${pick(FIELDS)}, D.${pick(FIELDS)}], 1);`,
  ({ pick }) => `if (D.${pick(FIELDS)}) {\n  emit(D.${pick(FIELDS)}, D);\n}`,
  ({ pick }) =>
    `if (D.type === '${pick(TYPES)}' && typeof D.${pick(NUMBERS)} === 'number') {\n  emit(D.${pick(FIELDS)}, D.${pick(NUMBERS)});\n}`,
  ({ pick }) => {
    const list = pick(LISTS);
    return `if (D.${list} && D.${list}.length > 0) {\n  for (var i = 0; i < D.${list}.length; i++) {\n    var item = D.${list}[i];\n    if (item.${pick(FIELDS)}) {\n      emit(item.${pick(FIELDS)}, item.${pick(NUMBERS)} || 0);\n    }\n  }\n}`;
  },
  ({ pick }) => {
    const list = pick(LISTS);
    return `(D.${list} || []).forEach(function (entry) {\n  emit([D.type, entry], { _id: D.${pick(FIELDS)}, n: 1 });\n});`;
  },
  ({ pick }) =>
    `var parts = String(D.${pick(FIELDS)}).split('-');\nvar year = parseInt(parts[0], 10);\nif (!isNaN(year)) emit([year, parts[1], D.${pick(FIELDS)}], null);`,
  ({ pick }) =>
    `switch (D.type) {\n  case '${pick(TYPES)}':\n    emit(['a', D.${pick(FIELDS)}], null);\n    break;\n  case '${pick(TYPES)}x':\n    emit(['b', D.${pick(FIELDS)}], D.${pick(NUMBERS)});\n    break;\n  default:\n    return;\n}`,
  ({ pick }) =>
    `var normalise = function (text) {\n  return text.toLowerCase().replace(/[^a-z0-9]+/g, '-');\n};\nif (D.${pick(FIELDS)}) emit(normalise(D.${pick(FIELDS)}), null);`,
  ({ pick }) =>
    `var parent = D.${pick(PARENTS)};\nif (parent && parent.${pick(FIELDS)}) {\n  emit(parent.${pick(FIELDS)}, null);\n}`,
  ({ pick }) =>
    `emit(D.${pick(PARENTS)}.${pick(FIELDS)}, { total: D.${pick(NUMBERS)}, tax: D.${pick(NUMBERS)} * 0.19 });`,
  ({ pick }) => `try {\n  emit(D.${pick(PARENTS)}.${pick(FIELDS)}, null);\n} catch (error) {\n  log(error);\n}`,
  ({ pick }) =>
    `for (var key in D.${pick(LISTS)}) {\n  if (Object.prototype.hasOwnProperty.call(D.${pick(LISTS)}, key)) {\n    emit([key, D.${pick(FIELDS)}], 1);\n  }\n}`,
  ({ pick }) =>
    `if (!D.${pick(FIELDS)} || D.deleted === true) {\n  return;\n}\nemit([D.${pick(FIELDS)}, D._id], D.${pick(NUMBERS)});`,
  ({ pick }) =>
    `if (/^${pick(TYPES)}:/.test(D._id)) {\n  emit(D._id.split(':')[1], { ${pick(NUMBERS)}: D.${pick(NUMBERS)}, name: D.name });\n}`,
  ({ pick }) =>
    `var day = new Date(D.${pick(FIELDS)});\nvar rank = D.${pick(NUMBERS)} > 100 ? 'high' : D.${pick(NUMBERS)} > 10 ? 'middle' : 'low';\nemit([day.getUTCFullYear(), day.getUTCMonth() + 1, rank], 1);`,
  ({ pick }) =>
    `var seen = {};\nvar list = D.${pick(LISTS)} || [];\nlist.map(function (entry) {\n  return entry.${pick(FIELDS)};\n}).filter(function (name) {\n  if (seen[name]) return false;\n  seen[name] = true;\n  return true;\n}).forEach(function (name) {\n  emit(name, null);\n});`,
  ({ pick }) =>
    `if (D.${pick(LISTS)}) {\n  D.${pick(LISTS)}.sort();\n  emit(D.${pick(FIELDS)}, D.${pick(LISTS)}.length);\n}`,
];

/** Gives functions of 8 lines in the middle, a tenth of them longer than 30: about what public projects have. */
const BLOCK_COUNTS = [1, 1, 1, 1, 1, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 4, 5, 6, 8, 16];

/** @type {string[]} */
const CUSTOM_REDUCES = [
  'function (keys, values, rereduce) {\n  return sum(values);\n}',
  'function (keys, values, rereduce) {\n  if (rereduce) return sum(values);\n  return values.length;\n}',
  'function (keys, values) {\n  return Math.max.apply(null, values);\n}',
  'function (keys, values, rereduce) {\n  var result = { sum: 0, count: 0 };\n  for (var i = 0; i < values.length; i++) {\n    if (rereduce) {\n      result.sum += values[i].sum;\n      result.count += values[i].count;\n    } else {\n      result.sum += values[i];\n      result.count += 1;\n    }\n  }\n  return result;\n}',
  'function (keys, values) {\n  var out = [];\n  values.forEach(function (value) {\n    out = out.concat(value);\n  });\n  return out;\n}',
  'function (keys, values) {\n  return values.length;\n}',
];

/**
 * @param {object} size
 * @param {number} size.documents
 * @param {number} size.views in each document
 * @param {number} [size.seed]
 * @returns {DesignDoc[]}
 */
export function generateDesignDocs({ documents, views, seed = 1 }) {
  const chance = createChance(seed);
  return Array.from({ length: documents }, (_, number) => {
    /** @type {Record<string, View>} */
    const made = {};
    for (let index = 0; index < views; index += 1) {
      made[`by_${chance.pick(FIELDS)}_${index}`] = makeView(chance);
    }
    return { _id: `_design/${chance.pick(TYPES)}_${number}`, language: 'javascript', views: made };
  });
}

/**
 * @param {Chance} chance
 * @returns {View}
 */
function makeView(chance) {
  const map = makeMap(chance);
  if (chance.hits(0.25)) return { map, reduce: chance.pick(BUILTIN_REDUCES) };
  return chance.hits(0.15) ? { map, reduce: restyle(chance.pick(CUSTOM_REDUCES), chance) } : { map };
}

/**
 * @param {Chance} chance
 * @returns {string}
 */
function makeMap(chance) {
  const count = chance.pick(BLOCK_COUNTS);
  const blocks = Array.from({ length: count }, () => chance.pick(MAP_BLOCKS)(chance));
  if (chance.hits(0.2)) blocks.unshift(`// ${chance.pick(WORDS)}`);
  const parameter = chance.hits(0.9) ? 'doc' : chance.pick(['d', 'document', 'o']);
  const body = blocks.join('\n').replace(/\bD\b/g, parameter).replace(/^/gm, '  ');
  return restyle(`function (${parameter}) {\n${body}\n}`, chance);
}

/**
 * @param {string} text indented by two spaces, in single quotes
 * @param {Chance} chance
 * @returns {string} the same function in the handwriting of somebody else
 */
function restyle(text, chance) {
  const indent = chance.pick(['  ', '  ', '    ', '\t']);
  let styled = text.replace(/^(?: {2})+/gm, (spaces) => indent.repeat(spaces.length / 2));
  if (chance.hits(0.5)) styled = styled.replaceAll("'", '"');
  if (chance.hits(0.5)) styled = styled.replaceAll('function (', 'function(');
  // A comment would swallow the rest of the line.
  if (chance.hits(0.05) && !styled.includes('//')) styled = styled.replace(/\n\s*/g, ' ');
  return styled;
}

/**
 * @param {number} seed
 * @returns {Chance} xorshift with 32 bits (Marsaglia, Journal of Statistical Software 8, 2003)
 */
export function createChance(seed) {
  let state = seed >>> 0 || 1;
  const next = () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) / 2 ** 32;
  };
  return {
    next,
    pick: (items) => /** @type {typeof items[number]} */ (items[Math.floor(next() * items.length)]),
    hits: (share) => next() < share,
  };
}
