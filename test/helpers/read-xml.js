// A small, strict reader of XML 1.0 for tests: elements, attributes, text and references, and nothing else.

/** @typedef {{name: string, attributes: Map<string, string>, children: XmlElement[], text: string}} XmlElement */

/** The characters XML 1.0 allows (section 2.2, production Char). */
const LEGAL = /^[\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]*$/u;
const TAG = /<(\/?)([A-Za-z][\w-]*)((?:\s+[A-Za-z][\w-]*="[^"<]*")*)\s*(\/?)>/y;
const ATTRIBUTE = /([A-Za-z][\w-]*)="([^"<]*)"/g;
const ENTITIES = new Map([
  ['amp', '&'],
  ['lt', '<'],
  ['gt', '>'],
  ['quot', '"'],
  ['apos', "'"],
]);

/**
 * @param {string} xml
 * @returns {XmlElement} the root
 * @throws {Error} where the text is not well formed, or uses what the reports have no need of
 */
export function readXml(xml) {
  if (!LEGAL.test(xml)) throw new Error('a character that XML does not allow');
  const declaration = /^<\?xml version="1\.0" encoding="UTF-8"\?>\n/.exec(xml);
  if (!declaration) throw new Error('no declaration');
  /** @type {XmlElement} */
  const document = { name: '', attributes: new Map(), children: [], text: '' };
  const open = [document];
  let at = declaration[0].length;
  while (at < xml.length) {
    const parent = /** @type {XmlElement} */ (open.at(-1));
    if (xml[at] !== '<') {
      const next = xml.indexOf('<', at);
      const end = next === -1 ? xml.length : next;
      parent.text += decode(xml.slice(at, end));
      at = end;
      continue;
    }
    TAG.lastIndex = at;
    const tag = TAG.exec(xml);
    if (!tag) throw new Error(`no tag at ${at}: ${xml.slice(at, at + 80)}`);
    at = TAG.lastIndex;
    const [, isEnd, name = '', attributes = '', isEmpty] = tag;
    if (isEnd) {
      if (open.pop()?.name !== name) throw new Error(`</${name}> closes something else`);
      continue;
    }
    const pairs = [...attributes.matchAll(ATTRIBUTE)].map(([, key = '', value = '']) => [key, decode(value)]);
    /** @type {XmlElement} */
    const element = { name, attributes: new Map(/** @type {[string, string][]} */ (pairs)), children: [], text: '' };
    if (element.attributes.size !== pairs.length) throw new Error(`an attribute of <${name}> stands twice`);
    parent.children.push(element);
    if (!isEmpty) open.push(element);
  }
  const [root] = document.children;
  if (open.length !== 1 || document.children.length !== 1 || !root || document.text.trim() !== '') {
    throw new Error('not one root element');
  }
  return root;
}

/**
 * @param {string} text
 * @returns {string}
 */
function decode(text) {
  if (text.includes(']]>')) throw new Error(']]> in text');
  return text.replace(/&([^;]*);?/g, (reference, name) => {
    const number = /^#(\d+)$/.exec(name);
    const character = number ? String.fromCodePoint(Number(number[1])) : ENTITIES.get(name);
    if (character === undefined || !reference.endsWith(';') || !LEGAL.test(character)) {
      throw new Error(`${reference} is no reference`);
    }
    return character;
  });
}
