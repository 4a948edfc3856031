// Makes projects to render as pages: one whose every name tries to be markup, and one with very many findings.

/** What breaks out of pages where it is not escaped: tags, ends of scripts, comments, attributes, direction, NUL. */
export const HOSTILE_NAMES = [
  '</script><script>window.isOpen = 1</script>',
  '"><img src=x onerror="window.isOpen = 2">',
  "' onfocus='window.isOpen = 3' autofocus='",
  '<!-- <style>*{display:none}</style>',
  'stock\u202etxt.exe\u2066',
  'zero\0width\ufeff\u200f',
  '__proto__',
  'constructor',
  '&lt;b&gt;&amp;',
  'مخزون',
];

/** @returns {Record<string, object | string>} files by path */
export function hostileProject() {
  const views = HOSTILE_NAMES.map((name) => [
    name,
    {
      map: `function (doc) {\n  /* </script> <!-- \u202e ${name} */\n  emit(doc["${name.replaceAll('"', "'")}"].x, doc);\n}`,
      reduce: '_sum;',
    },
  ]);
  const document = { _id: `_design/${HOSTILE_NAMES[0]}`, views: Object.fromEntries(views) };
  // A plain object would take `__proto__` for something else.
  const text = JSON.stringify(document, null, 2).replace(
    '"views": {',
    '"views": {\n    "__proto__": {"map": "function (doc) { emit(doc.a.b, doc); }"},',
  );
  return { 'ddocs/<b>orders</b> & "stock".json': text, "ddocs/it's.ini": '[cors]\norigins = *\n' };
}

/**
 * @param {number} documents each gives 20 findings
 * @returns {Record<string, object>} files by path
 */
export function largeProject(documents) {
  const files = Array.from({ length: documents }, (_, number) => {
    const views = Array.from({ length: 10 }, (__, view) => [
      `by_field_${view}`,
      {
        map: `function (doc) {\n  if (doc.type === 'order${number}_${view}') {\n    emit(doc.date, doc);\n  }\n}`,
        reduce: view % 2 === 1 ? '_sum;' : '_total',
      },
    ]);
    return [`ddocs/orders${number}.json`, { _id: `_design/orders${number}`, views: Object.fromEntries(views) }];
  });
  return Object.fromEntries(files);
}
