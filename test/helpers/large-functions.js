// Functions whose analysis takes gigabytes, or the whole stack, where nothing counts its steps.

/** @param {number} count @param {(at: number) => string} part @param {string} [between] @returns {string} */
function repeated(count, part, between = '\n') {
  return Array.from({ length: count }, (_, at) => part(at)).join(between);
}

/** Bodies of functions of a document, by what is large. @type {Readonly<Record<string, string>>} */
export const LARGE_BODIES = {
  'choices in each other': `emit(doc._id, ${repeated(2000, (at) => `doc.a == ${at} ? ${at} :`)} 0);`,
  'a long condition': `if (${repeated(2000, (at) => `doc.m${at}`, ' && ')}) emit(doc._id, 1);`,
  'a long sum': `emit(doc._id, ${repeated(3000, (at) => `doc.m${at}`, ' + ')});`,
  'many members': repeated(3000, (at) => `if (doc.m${at}) emit('${at}', doc.n${at});`),
  'many long branches': repeated(
    12_000,
    (at) => `if (doc.m${at % 50} > ${at}) { var v${at % 50} = doc.n${at % 50}; emit(v${at % 50}, ${at}); }`,
  ),
  'many cases': `switch (doc.t) { ${repeated(3000, (at) => `case 'c${at}': emit('${at}', doc.n${at}); break;`)} }`,
  'many variables': `${repeated(3000, (at) => `var v${at} = ${at > 0 ? `v${at - 1} + ` : ''}doc.n${at};`)} emit(doc._id, v2999);`,
  'lists that hold each other twice': `var x0 = doc.a; ${repeated(40, (at) => `var x${at + 1} = [x${at}, x${at}];`)} emit(x40, 1);`,
  'functions that call each other twice': `${repeated(40, (at) => `function f${at}(x) { ${at > 0 ? `f${at - 1}(x.a); f${at - 1}(x.b);` : 'emit(x, 1);'} }`)} f39(doc);`,
  'callbacks in each other': `${repeated(60, (at) => `(doc.l${at} || []).forEach(function (x${at}) {`)} emit(1, 1); ${'});'.repeat(60)}`,
  'loops in each other': `${repeated(60, (at) => `for (var i${at} = 0; i${at} < doc.n${at}; i${at}++) {`)} emit(1, 1); ${'}'.repeat(60)}`,
  'loops over members of each other': repeated(
    150,
    (at) =>
      `for (var k${at} in doc.m${at}) if (doc.m${at}[k${at}].x == doc.m${(at + 1) % 150}.y) emit(k${at}, doc.m${at}[k${at}].z);`,
  ),
  'a variable that may be any of many members': `var a = doc; ${repeated(300, (at) => `a = a.x || a.y || a['k${at}'];`)} emit(a, 1);`,
  'many words': `if ([${repeated(5000, (at) => `'w${at}'`, ',')}].indexOf(doc.t) >= 0) emit(doc.t, 1);`,
};

/** Bodies of reduces. @type {Readonly<Record<string, string>>} */
export const LARGE_REDUCES = {
  'choices in each other': `return ${repeated(1000, (at) => `values[${at}] == ${at} ? ${at} :`)} values.length;`,
  'sums of sums': `${repeated(1000, (at) => `var x${at} = ${at > 0 ? `x${at - 1} + x${at - 1}` : 'values[0]'};`)} return x999;`,
  'many branches': `var t = 0; ${repeated(1000, (at) => `if (values[${at}]) t += values[${at}]; else t -= ${at};`)} return t;`,
};
