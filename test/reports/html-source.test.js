import { describe, expect, test } from 'vitest';
import { renderExcerpt, renderSource } from '../../lib/reports/html/source.js';
import { SourceFile } from '../helpers/read-source.js';
import { makeFinding } from '../helpers/sample-report.js';

/** @import { Place } from '../../lib/shared/source-file.js' */
/** @import { Anchored } from '../../lib/reports/html/sections.js' */

/**
 * @param {Place} place
 * @param {Partial<Anchored>} [parts]
 * @returns {Anchored}
 */
function found(place, parts = {}) {
  return { ...makeFinding({ place, ...parts }), anchor: parts.anchor ?? 'f1' };
}

/**
 * @param {SourceFile} file
 * @param {Anchored[]} findings
 * @param {{start?: number, end?: number}} [range]
 * @returns {string}
 */
function render(file, findings, { start = 0, end = file.text.length } = {}) {
  return renderSource({ file, start, end }, findings).text;
}

/**
 * @param {string} markup
 * @returns {string} the text of the lines, as it is copied, without what is not of the source
 */
function linesOf(markup) {
  return markup
    .replace(/<span class="(?:notes|cut|gap)">.*?<\/span>(?=<|$)/g, '')
    .replace(/<[^>]*>/g, '')
    .replaceAll('&lt;', '<')
    .replaceAll('&#39;', "'")
    .replaceAll('&quot;', '"')
    .replaceAll('&amp;', '&');
}

/** @param {string} markup @returns {number[]} */
function numbersOf(markup) {
  return [...markup.matchAll(/data-line="(\d+)"/g)].map(([, number]) => Number(number));
}

const MAP = "function (doc) {\n\tif (doc.stock < 3 && doc.name !== 'a\\n') emit(doc._id);\n}\n";

describe('a source', () => {
  test('is exact, line by line', () => {
    const markup = render(new SourceFile('map.js', MAP), []);
    expect(linesOf(markup)).toBe(MAP);
    expect(numbersOf(markup)).toEqual([1, 2, 3]);
  });

  test('keeps to its numbers where it is cut out of a file', () => {
    const file = new SourceFile('dump.json', '[\n{"_id":"a"},\n{"_id":"b"}\n]\n');
    const markup = render(file, [], { start: 15, end: 26 });
    expect(numbersOf(markup)).toEqual([3]);
    expect(linesOf(markup)).toBe('{"_id":"b"}\n');
  });

  test('with Windows line ends has no signs for them', () => {
    expect(linesOf(render(new SourceFile('map.js', MAP.replaceAll('\n', '\r\n')), []))).toBe(MAP);
  });

  test('shows what cannot be seen, with its number', () => {
    const markup = render(new SourceFile('map.js', 'emit("\u202e\0");'), []);
    expect(markup).toContain('<span class="unseen" title="U+202E">&lt;U+202E&gt;</span>');
    expect(markup).toContain('<span class="unseen" title="U+0000">␀</span>');
  });

  test('goes to a new line behind line ends in strings of JSON, and only there', () => {
    const text = '{\n  "map": "a\\nb\\\\n\\\\\\nc"\n}\n';
    const markup = render(new SourceFile('orders.json', text), []);
    expect(markup).toContain(
      'a<span class="lf" data-indent="    ">\\n</span>b\\\\n\\\\<span class="lf" data-indent="    ">\\n</span>c',
    );
    expect(linesOf(markup)).toBe(text);
    expect(render(new SourceFile('map.js', MAP), [])).not.toContain('class="lf"');
  });

  test('marks findings, the narrowest of several on the same characters, and names all of them below the line', () => {
    const file = new SourceFile('map.js', 'emit(doc.a.b, doc);');
    const outer = found(file.place(0, 19), { anchor: 'f1', severity: 'info', rule: 'view/emit-whole-doc' });
    const inner = found(file.place(5, 12), { anchor: 'f2', severity: 'error', rule: 'map/unguarded-access' });
    const markup = render(file, [outer, inner]);
    expect(markup).toContain('<a class="mark info" href="#f1">emit(</a><a class="mark error" href="#f2">doc.a.b</a>');
    expect(markup.match(/<a class="(\w+)" href/g)).toEqual(['<a class="info" href', '<a class="error" href']);
  });

  test('marks one character where a place has no length', () => {
    const file = new SourceFile('map.js', 'emit(doc);');
    expect(render(file, [found({ file: 'map.js', line: 1, column: 6 })])).toContain('href="#f1">d</a>oc);');
  });

  test('marks nothing for a place in another file, or behind the end', () => {
    const file = new SourceFile('map.js', 'emit(doc);');
    const places = [
      { file: 'other.js', line: 1, column: 1 },
      { file: 'map.js', line: 7, column: 1 },
    ];
    expect(
      render(
        file,
        places.map((place) => found(place)),
      ),
    ).not.toContain('class="mark');
  });

  test('of very many lines is shown around its findings, and tells how many lines are left out', () => {
    const file = new SourceFile('map.js', 'emit(doc);\n'.repeat(1000));
    const markup = render(file, [found({ file: 'map.js', line: 500, column: 1, endLine: 500, endColumn: 5 })]);
    expect(numbersOf(markup)).toEqual([497, 498, 499, 500, 501, 502, 503]);
    expect(markup).toContain('… 496 lines without findings');
    expect(markup).toContain('… 497 lines without findings');
  });

  test('on one very long line is shown around its findings', () => {
    const text = `[${'{"a":1},'.repeat(10_000)}"emit(doc)"]`;
    const file = new SourceFile('dump.json', text);
    const start = text.indexOf('emit');
    const markup = render(file, [found(file.place(start, start + 4))]);
    expect(markup.length).toBeLessThan(3000);
    expect(markup).toContain('href="#f1">emit</a>(doc)');
  });
});

describe('an excerpt', () => {
  test('has the lines of the finding', () => {
    const file = new SourceFile('map.js', MAP);
    const markup = renderExcerpt(file, found(file.place(22, 35)))?.text ?? '';
    expect(numbersOf(markup)).toEqual([2]);
    expect(markup).toContain('<mark class="warning">doc.stock &lt; 3</mark>');
  });

  test('of a finding that covers many lines has the first of them', () => {
    const file = new SourceFile('map.js', 'emit(doc);\n'.repeat(50));
    const markup = renderExcerpt(file, found(file.place(0, file.text.length)))?.text ?? '';
    expect(numbersOf(markup)).toEqual([1, 2, 3, 4]);
    expect(markup).toContain('… 46 more lines');
  });

  test.each([
    ['a log, of which only lines are known', new SourceFile('couch.log', '')],
    ['no file', undefined],
  ])('there is none of %s', (_, file) => {
    expect(renderExcerpt(file, found({ file: 'couch.log', line: 3, column: 1 }))).toBeUndefined();
  });
});
