// Map functions of a shop, with guards of all kinds: what is asked of a document before a row is emitted.

/** @type {[string, string][]} what the guard is, and the map */
export const FITTABLE = [
  ['nothing', 'function (doc) { emit(doc._id, null); }'],
  ['a type', "function (doc) { if (doc.type === 'order') emit(doc.customer, doc.total); }"],
  ['a type, by return', "function (doc) { if (doc.type !== 'order') return; emit(doc.date, doc.total); }"],
  ['two types', "function (doc) { if (doc.type == 'order' || doc.type == 'refund') emit(doc.customer, null); }"],
  ['none of a type', "function (doc) { if (doc.type !== 'note') emit(doc.type, 1); }"],
  ['typeof number', "function (doc) { if (typeof doc.total === 'number') emit(doc.total, 1); }"],
  [
    'typeof string',
    "function (doc) { if (typeof doc.customer == 'string' && doc.customer.length > 3) emit(doc.customer.toLowerCase()); }",
  ],
  [
    'typeof boolean',
    "function (doc) { if (typeof doc.open === 'boolean' && !doc.open) emit(doc.customer, doc.open); }",
  ],
  [
    'typeof undefined',
    "function (doc) { if (typeof doc.cancelled === 'undefined' && doc.total) emit(doc.total, null); }",
  ],
  [
    'a list with items',
    'function (doc) { if (doc.items && doc.items.length) { for (var i = 0; i < doc.items.length; i++) { emit(doc.items[i].article, doc.items[i].count * doc.items[i].price); } } }',
  ],
  [
    'Array.isArray and forEach',
    'function (doc) { if (Array.isArray(doc.tags)) { doc.tags.forEach(function (tag) { emit(tag.toLowerCase(), 1); }); } }',
  ],
  [
    'isArray and for of',
    'function (doc) { if (!isArray(doc.items)) return; for (const item of doc.items) { if (item.price > 10) emit(item.article, item.price); } }',
  ],
  [
    'members of items, by variable',
    "function (doc) { var lines = doc.order && doc.order.lines || []; for (var i in lines) { var line = lines[i]; if (line.state === 'open') emit([doc.order.number, line.article], line.count); } }",
  ],
  ['the start of the id', "function (doc) { if (doc._id.indexOf('order:') === 0) emit(doc._id.substr(6), null); }"],
  [
    'the id split',
    "function (doc) { var parts = doc._id.split(':'); if (parts[0] === 'order' && parts[1]) emit(parts[1], doc.total); }",
  ],
  [
    'the start of the id, by substr',
    "function (doc) { if (doc._id.substr(0, 6) == 'stock_') emit(doc._id, doc.count); }",
  ],
  ['the id by startsWith', "(doc) => { if (doc._id.startsWith('customer/')) emit(doc.name, null); }"],
  ['the id by expression', 'function (doc) { if (/^order-\\d+$/.test(doc._id)) emit(doc._id, null); }'],
  ['a date parsed', 'function (doc) { var t = Date.parse(doc.date); if (!isNaN(t)) emit(t, null); }'],
  [
    'a date as key parts',
    "function (doc) { if (doc.type === 'order' && doc.created_at) { var d = new Date(doc.created_at); emit([d.getFullYear(), d.getMonth() + 1, d.getDate()], doc.total); } }",
  ],
  ['a date split', "function (doc) { var day = doc.date.split('-'); if (day.length === 3) emit(day, 1); }"],
  ['a member by in', "function (doc) { if ('total' in doc && !('cancelled' in doc)) emit(doc.total, null); }"],
  [
    'hasOwnProperty',
    "function (doc) { if (doc.hasOwnProperty('invoice') && doc.invoice.number) emit(doc.invoice.number, null); }",
  ],
  [
    'a switch',
    "function (doc) { switch (doc.kind) { case 'order': emit(['order', doc.date], 1); break; case 'return': emit(['return', doc.date], -1); break; default: return; } }",
  ],
  [
    'three flags',
    'function (doc) { if (doc.paid && !doc.sent && doc.address && doc.address.town) emit(doc.address.town, null); }',
  ],
  [
    'flags compared',
    'function (doc) { if (doc.active === true && doc.deleted !== true && doc.hidden === false) emit(doc.name, null); }',
  ],
  [
    'a list of states',
    "function (doc) { var open = ['new', 'paid', 'packed']; if (open.indexOf(doc.state) >= 0) emit(doc.state, doc.total); }",
  ],
  [
    'a table of states',
    'function (doc) { var rank = { fresh: 1, paid: 2, sent: 3 }; if (rank[doc.state]) emit(rank[doc.state], null); }',
  ],
  ['a tag in a list', "function (doc) { if (doc.tags && doc.tags.indexOf('sale') !== -1) emit(doc.price, null); }"],
  [
    'bounds',
    'function (doc) { if (doc.count > 1000 && doc.price <= 5 && doc.price >= 2) emit(doc.article, doc.count); }',
  ],
  [
    'a number of items',
    'function (doc) { if (doc.items && doc.items.length >= 4) emit(doc.customer, doc.items.length); }',
  ],
  [
    'an expression',
    'function (doc) { if (doc.mail && doc.mail.match(/^[a-z.]+@[a-z]+\\.(com|org)$/i)) emit(doc.mail, null); }',
  ],
  [
    'a table of amounts',
    'function (doc) { if (doc.stock) for (var place in doc.stock) { if (doc.stock[place] > 0) emit([place, doc._id], doc.stock[place]); } }',
  ],
  [
    'Object.keys',
    'function (doc) { Object.keys(doc.prices).forEach(function (currency) { emit(currency, doc.prices[currency].amount); }); }',
  ],
  [
    'a function that asks',
    "function (doc) { function isOrder(d) { return d.type === 'order' && d.version >= 2; } if (isOrder(doc)) emit(doc.customer, null); }",
  ],
  [
    'parts taken apart',
    "({ type, customer, items = [] }) => { if (type !== 'order') return; items.filter((item) => item.count > 1).map(({ article, count }) => emit([customer, article], count)); }",
  ],
  ['optional members', '(doc) => { if (doc.customer?.address?.zip?.length === 5) emit(doc.customer.address.zip, 1); }'],
  [
    'a nested list',
    'function (doc) { doc.boxes.forEach(function (box) { box.items.forEach(function (item) { if (item.sku) emit(item.sku.trim().toUpperCase(), box.weight.toFixed(1)); }); }); }',
  ],
  [
    'nulls',
    'function (doc) { if (doc.parent === null && doc.children !== undefined) emit(doc.name, doc.children.length); }',
  ],
  [
    'a member of two kinds',
    "function (doc) { var who = doc.customer; if (typeof who === 'object' && who !== null) { emit(who.id, who.name.split(' ')[1]); } }",
  ],
  [
    'a revision',
    "function (doc) { if (parseInt(doc._rev.split('-')[0], 10) > 0 && doc.type) emit(doc.type, doc._rev); }",
  ],
  [
    'words of a text',
    'function (doc) { if (doc.title) { doc.title.toLowerCase().split(/\\s+/).forEach(function (word) { if (word.length > 2) emit(word, 1); }); } }',
  ],
  [
    'six guards one after another',
    "function (doc) { if (doc.type !== 'order') return; if (doc.schema !== 3) return; if (!doc.paid) return; if (doc.cancelled) return; if (doc.channel !== 'web' && doc.channel !== 'app') return; if (doc.total < 500) return; emit(doc.customer, doc.total); }",
  ],
  ['an upper-case type', "function (doc) { if (doc.type && doc.type.toUpperCase() === 'ORDER') emit(doc.total); }"],
  [
    'a reduced list',
    'function (doc) { var total = doc.items.reduce(function (sum, item) { return sum + item.price * item.count; }, 0); if (total > 0) emit(doc.customer, total); }',
  ],
  [
    'a list of pairs',
    "function (doc) { for (var i = 0; i < doc.prices.length; i++) { if (doc.prices[i][0] === 'EUR') emit(doc.prices[i][1], null); } }",
  ],
  [
    'members by words',
    "function (doc) { function has(object, name) { return !!object[name]; } if (has(doc, 'invoice') && has(doc, 'customer')) emit(doc.customer, doc.invoice); }",
  ],
  [
    'one of a list of members',
    "function (doc) { ['billing', 'delivery'].forEach(function (name) { if (doc[name] && doc[name].town) emit([name, doc[name].town], null); }); }",
  ],
  ['what is yet to come', 'function (doc) { if (new Date(doc.due) > Date.now()) emit(doc.due, null); }'],
];

/** @type {[string, string, RegExp][]} what is wrong, the map, the reason */
export const UNFITTABLE = [
  ['a text that is no JavaScript', 'function (doc) { emit(doc._id', /cannot be read/],
  ['a text that gives no function', '42', /function/],
  ['an empty text', '', /function|read/],
  ['a map that emits nothing', 'function (doc) { log(doc._id); }', /emit/],
  ['a guard that nothing meets', 'function (doc) { if (doc.total > 5 && doc.total < 5) emit(doc.total); }', /emit/],
  ['a map that always throws', "function (doc) { throw new Error('closed'); }", /closed/],
  ['a loop without end', 'function (doc) { while (true) {} }', /steps/],
  ['rows without end', "function (doc) { for (;;) emit('order', 'order'); }", /memory|steps/],
  [
    'megabytes',
    "function (doc) { var text = 'stock'; for (var i = 0; i < 20; i++) text += text; emit(doc._id, text); }",
    /long|memory/,
  ],
  [
    'recursion without end',
    'function (doc) { function again(d) { return again(d) + 1; } emit(again(doc)); }',
    /stack|deep|overflow/i,
  ],
];
