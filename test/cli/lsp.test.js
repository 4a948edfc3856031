// The language server in a process of its own, driven by the protocol library that editors use.

import { spawn } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, describe, expect, test } from 'vitest';
import { createMessageConnection, StreamMessageReader, StreamMessageWriter } from 'vscode-jsonrpc/node';
import { isLong, sample } from '../helpers/long.js';
import { root } from '../helpers/run-cli.js';
import { createProject } from '../helpers/temporary-project.js';

/** @import { CodeAction, Diagnostic, Hover, PublishDiagnosticsParams } from 'vscode-languageserver-protocol' */

const BIN = path.join(root, 'bin/couch-advisor.js');

/** @type {(() => void)[]} */
const endings = [];
afterEach(() => {
  for (const end of endings.splice(0)) end();
});

/**
 * @param {string} cwd
 * @param {string[]} [args]
 */
function start(cwd, args = []) {
  const child = spawn(process.execPath, [BIN, 'lsp', ...args], { cwd });
  endings.push(() => child.kill('SIGKILL'));
  let stderr = '';
  child.stderr.on('data', (chunk) => {
    stderr += chunk;
  });
  const exited = new Promise((resolve) => child.on('exit', (code) => resolve(code)));
  return { child, exited, stderr: () => stderr };
}

/**
 * @param {string} cwd
 * @param {{folders?: string[], capabilities?: object}} [options]
 */
async function open(cwd, { folders = [cwd], capabilities = {} } = {}) {
  const server = start(cwd);
  const connection = createMessageConnection(
    new StreamMessageReader(server.child.stdout),
    new StreamMessageWriter(server.child.stdin),
  );
  endings.push(() => connection.dispose());
  /** @type {PublishDiagnosticsParams[]} */
  const published = [];
  /** @type {string[]} */
  const messages = [];
  /** @type {(() => void)[]} */
  const waiting = [];
  connection.onNotification('textDocument/publishDiagnostics', (params) => {
    published.push(params);
    for (const wake of waiting.splice(0)) wake();
  });
  connection.onNotification('window/showMessage', ({ message }) => {
    messages.push(message);
    for (const wake of waiting.splice(0)) wake();
  });
  connection.listen();
  const initialized = await connection.sendRequest('initialize', {
    processId: process.pid,
    capabilities,
    rootUri: null,
    workspaceFolders: folders.map((folder) => ({ uri: pathToFileURL(folder).href, name: 'shop' })),
  });
  await connection.sendNotification('initialized', {});
  const uriOf = (/** @type {string} */ file) => pathToFileURL(path.join(cwd, file)).href;
  return {
    ...server,
    connection,
    initialized,
    published,
    messages,
    uriOf,
    /** @param {string} file @param {string} text @param {number} [version] */
    didOpen: (file, text, version = 1) =>
      connection.sendNotification('textDocument/didOpen', {
        textDocument: { uri: uriOf(file), languageId: 'json', version, text },
      }),
    /** @param {string} file @param {string} text @param {number} version */
    didChange: (file, text, version) =>
      connection.sendNotification('textDocument/didChange', {
        textDocument: { uri: uriOf(file), version },
        contentChanges: [{ text }],
      }),
    /** @param {() => unknown} isThere */
    until: async (isThere) => {
      while (!isThere()) await new Promise((resolve) => waiting.push(() => resolve(undefined)));
    },
    /** @param {string} file @returns {Diagnostic[] | undefined} the last that were shown in it */
    diagnostics: (file) => published.findLast(({ uri }) => uri === uriOf(file))?.diagnostics,
  };
}

const WHOLE = JSON.stringify(
  { _id: '_design/orders', views: { by_date: { map: 'function (doc) {\n  emit(doc.date, doc);\n}' } } },
  null,
  2,
);
const SOUND = WHOLE.replace('emit(doc.date, doc)', 'emit(doc.date, null)');
const SUM = JSON.stringify(
  {
    _id: '_design/orders',
    views: {
      totals: {
        map: "function (doc) {\n  if (typeof doc.total === 'number') emit(doc.date, doc.total);\n}",
        reduce: 'function (keys, values, rereduce) {\n  return sum(values);\n}',
      },
    },
  },
  null,
  2,
);

/**
 * @param {CodeAction | undefined} action
 * @returns {any[]}
 */
function changesOf(action) {
  return action?.edit?.documentChanges ?? [];
}

/**
 * @param {string} text
 * @param {{range: {start: {line: number, character: number}, end: {line: number, character: number}}, newText: string}[]} edits
 * @returns {string}
 */
function apply(text, edits) {
  const lines = text.split('\n');
  const offset = (/** @type {{line: number, character: number}} */ { line, character }) =>
    lines.slice(0, line).reduce((sum, one) => sum + one.length + 1, 0) + character;
  return edits
    .toSorted((a, b) => offset(b.range.start) - offset(a.range.start))
    .reduce(
      (done, { range, newText }) => done.slice(0, offset(range.start)) + newText + done.slice(offset(range.end)),
      text,
    );
}

describe('a session', () => {
  test('shows findings as one types, and takes them back', async () => {
    const { cwd } = createProject({ 'orders.json': SOUND });
    const editor = await open(cwd);
    expect(editor.initialized).toMatchObject({
      capabilities: { textDocumentSync: { openClose: true, change: 1 }, hoverProvider: true },
      serverInfo: { name: 'couch-advisor' },
    });
    await editor.didOpen('orders.json', SOUND);
    await editor.until(() => editor.diagnostics('orders.json'));
    expect(editor.diagnostics('orders.json')).toEqual([]);
    await editor.didChange('orders.json', WHOLE, 2);
    await editor.until(() => editor.diagnostics('orders.json')?.length);
    const [found] = editor.diagnostics('orders.json') ?? [];
    const lines = WHOLE.split('\n');
    const line = lines.findIndex((text) => text.includes('emit('));
    expect(found).toMatchObject({
      severity: 3,
      code: 'view/emit-whole-doc#copies-document',
      source: 'couch-advisor',
      range: { start: { line, character: lines[line]?.lastIndexOf('doc)') } },
    });
    expect(editor.published.at(-1)?.version).toBe(2);
    await editor.didChange('orders.json', SOUND, 3);
    await editor.until(() => editor.diagnostics('orders.json')?.length === 0);
    await editor.didChange('orders.json', '{"_id": "_design/orders", "views": {', 4);
    await editor.until(() => editor.diagnostics('orders.json')?.length);
    expect(editor.diagnostics('orders.json')?.[0]).toMatchObject({ severity: 1, range: { start: { line: 0 } } });
    await editor.connection.sendNotification('textDocument/didClose', {
      textDocument: { uri: editor.uriOf('orders.json') },
    });
    await editor.until(() => editor.diagnostics('orders.json')?.length === 0);
    expect(await editor.connection.sendRequest('shutdown')).toBeNull();
    await editor.connection.sendNotification('exit');
    expect(await editor.exited).toBe(0);
    expect(editor.stderr()).toBe('');
  });

  test('tells rule and proof under the pointer, and mends', async () => {
    const { cwd } = createProject({ 'orders.json': SUM });
    const editor = await open(cwd);
    await editor.didOpen('orders.json', SUM);
    await editor.until(() => editor.diagnostics('orders.json')?.length);
    const textDocument = { uri: editor.uriOf('orders.json') };
    const found = editor.diagnostics('orders.json')?.find(({ code }) => code === 'reduce/custom-sum#equal');
    expect(found).toBeDefined();
    if (!found) return;
    /** @type {Hover} */
    const hover = await editor.connection.sendRequest('textDocument/hover', {
      textDocument,
      position: found.range.start,
    });
    expect(hover.range).toEqual(found.range);
    const { value } = /** @type {{value: string}} */ (hover.contents);
    expect(value).toContain('`reduce/custom-sum#equal`');
    expect(value).toContain('**Proof**: equals `_sum`');
    expect(value).toContain('the sum of the values');
    const nowhere = { textDocument, position: { line: 0, character: 0 } };
    expect(await editor.connection.sendRequest('textDocument/hover', nowhere)).toBeNull();

    /** @type {CodeAction[]} */
    const actions = await editor.connection.sendRequest('textDocument/codeAction', {
      textDocument,
      range: found.range,
      context: { diagnostics: [found] },
    });
    expect(actions.map(({ title }) => title)).toEqual([
      'Use the built-in reduce; sums of fractions, or beyond 2^53, can differ in their last digits',
      'Ignore this reduce/custom-sum finding in the configuration',
    ]);
    const [mend, ignore] = actions;
    expect(mend).toMatchObject({ kind: 'quickfix', isPreferred: true });
    const [change] = changesOf(mend);
    expect(change.textDocument).toEqual({ uri: textDocument.uri, version: 1 });
    const mended = apply(SUM, change.edits);
    expect(JSON.parse(mended).views.totals.reduce).toBe('_sum');
    await editor.didChange('orders.json', mended, 2);
    await editor.until(() => editor.diagnostics('orders.json')?.length === 0);

    const [create, write] = changesOf(ignore);
    expect(create).toMatchObject({ kind: 'create', uri: editor.uriOf('couch-advisor.config.json') });
    writeFileSync(path.join(cwd, 'couch-advisor.config.json'), write.edits[0].newText);
    await editor.didChange('orders.json', SUM, 3);
    await editor.connection.sendNotification('workspace/didChangeWatchedFiles', { changes: [] });
    await editor.until(() => editor.published.at(-1)?.version === 3);
    expect(editor.diagnostics('orders.json')).toEqual([]);
  });

  test('a line over each view with cost and verdict, which shows the page of the rule', async () => {
    const views = {
      ...JSON.parse(SUM).views,
      by_date: { map: 'function (doc) {\n  emit(doc.date, doc);\n}' },
      'x\u202e\n': { map: 'function (doc) {\n  emit(doc.date, null);\n}' },
    };
    const text = JSON.stringify({ _id: '_design/orders', views }, null, 2);
    const { cwd } = createProject({ 'orders.json': text });
    const capabilities = {
      window: { showDocument: { support: true } },
      workspace: { codeLens: { refreshSupport: true } },
    };
    const editor = await open(cwd, { capabilities });
    expect(editor.initialized).toMatchObject({
      capabilities: { codeLensProvider: {}, executeCommandProvider: { commands: ['couchAdvisor.explain'] } },
    });
    /** @type {string[]} */
    const shown = [];
    editor.connection.onRequest('window/showDocument', ({ uri }) => {
      shown.push(uri);
      return { success: true };
    });
    let refresh = () => {};
    editor.connection.onRequest('workspace/codeLens/refresh', () => {
      refresh();
      return null;
    });
    const textDocument = { uri: editor.uriOf('orders.json') };
    const lenses = async () =>
      /** @type {any[]} */ (await editor.connection.sendRequest('textDocument/codeLens', { textDocument }));
    /** @param {() => unknown} act */
    const refreshed = async (act) => {
      const done = new Promise((resolve) => {
        refresh = () => resolve(undefined);
      });
      await act();
      await done;
    };
    await refreshed(() => editor.didOpen('orders.json', text));
    const lines = text.split('\n');
    const first = await lenses();
    expect(first.map(({ range: { start }, command: { title } }) => [lines[start.line]?.trim(), title])).toEqual([
      ['"totals": {', '1 warning · reduce equals _sum (proved) · a change also rebuilds by_date, x<U+202E>\u240a'],
      ['"by_date": {', '1 info · a change also rebuilds totals, x<U+202E>\u240a'],
      ['"x\u202e\\n": {', 'no problems · a change also rebuilds totals, by_date'],
    ]);
    expect(first.map(({ command }) => command.command)).toEqual(['couchAdvisor.explain', 'couchAdvisor.explain', '']);
    const { command, arguments: args } = first[0].command;
    await editor.connection.sendRequest('workspace/executeCommand', { command, arguments: args });
    expect(shown).toEqual([pathToFileURL(path.join(root, 'rules/reduce/custom-sum/README.md')).href]);
    const wrong = { command, arguments: [textDocument.uri, '../../package'] };
    await expect(editor.connection.sendRequest('workspace/executeCommand', wrong)).rejects.toMatchObject({
      code: -32602,
    });

    const [found] = editor.diagnostics('orders.json') ?? [];
    /** @type {CodeAction[]} */
    const actions = await editor.connection.sendRequest('textDocument/codeAction', {
      textDocument,
      range: found?.range,
      context: { diagnostics: [found] },
    });
    expect(actions.at(-1)).toMatchObject({ title: 'Explain reduce/custom-sum', command: { command, arguments: args } });

    writeFileSync(
      path.join(cwd, 'couch-advisor.config.json'),
      JSON.stringify({ documents: 2_000_000, documentsPerSecond: 2500 }),
    );
    await refreshed(() => editor.connection.sendNotification('workspace/didChangeWatchedFiles', { changes: [] }));
    expect((await lenses())[2].command.title).toBe(
      'no problems · a change also rebuilds totals, by_date: 13 min for 2,000,000 documents',
    );
  });

  test.runIf(isLong)('nothing in a file that holds nothing for CouchDB', async () => {
    const { cwd } = createProject({ 'package.json': { name: 'shop' } });
    const editor = await open(cwd);
    await editor.didOpen('package.json', '{ "name": "shop" }');
    await editor.until(() => editor.diagnostics('package.json'));
    expect(editor.diagnostics('package.json')).toEqual([]);
  });

  test.runIf(isLong)(
    'calls in TypeScript whose client is made in another file, also after that file is saved',
    async () => {
      const database = "import nano from 'nano';\nexport const shop = nano(process.env.COUCHDB_URL!).use('shop');\n";
      const orders = `import { shop } from './database';

export async function load(ids: string[]) {
  const orders: unknown[] = [];
  for (const id of ids) orders.push(await shop.get(id));
  return orders;
}
`;
      const { cwd } = createProject({ 'src/database.ts': database, 'src/orders.ts': orders });
      const editor = await open(cwd);
      await editor.didOpen('src/orders.ts', orders);
      await editor.until(() => editor.diagnostics('src/orders.ts')?.length);
      expect(editor.diagnostics('src/orders.ts')).toMatchObject([
        { code: 'call/get-in-loop#documents-one-by-one', range: { start: { line: 4, character: 42 } } },
      ]);
      await editor.didOpen('src/database.ts', 'export const shop = new Map<string, unknown>();\n');
      await editor.connection.sendNotification('textDocument/didSave', {
        textDocument: { uri: editor.uriOf('src/database.ts') },
      });
      await editor.until(() => editor.diagnostics('src/orders.ts')?.length === 0);
    },
  );

  test.runIf(isLong)('an ignore beside the code, in a couchapp, whose other files are shown too', async () => {
    const map = 'function (doc) {\n  emit(doc.date, doc);\n}\n';
    const { cwd } = createProject({
      'app/_id': '_design/orders',
      'app/views/by_date/map.js': map,
      'app/views/by_day/map.js': map,
    });
    const editor = await open(cwd);
    await editor.didOpen('app/views/by_date/map.js', map);
    await editor.until(() => editor.diagnostics('app/views/by_date/map.js')?.length);
    const textDocument = { uri: editor.uriOf('app/views/by_date/map.js') };
    const [found] = (editor.diagnostics('app/views/by_date/map.js') ?? []).filter(({ code }) =>
      String(code).startsWith('view/emit-whole-doc'),
    );
    /** @type {CodeAction[]} */
    const actions = await editor.connection.sendRequest('textDocument/codeAction', {
      textDocument,
      range: found?.range,
      context: { diagnostics: [] },
    });
    const beside = actions.find(({ title }) => title === 'Ignore view/emit-whole-doc for this line');
    const ignored = apply(map, changesOf(beside)[0].edits);
    expect(ignored).toBe(
      'function (doc) {\n  // couch-advisor-ignore-next-line view/emit-whole-doc -- say why here\n  emit(doc.date, doc);\n}\n',
    );
    await editor.didChange('app/views/by_date/map.js', ignored, 2);
    await editor.until(() => editor.published.findLast(({ uri }) => uri === textDocument.uri)?.version === 2);
    expect(editor.diagnostics('app/views/by_date/map.js')?.map(({ code }) => code)).not.toContain(found?.code);
    expect(editor.diagnostics('app/views/by_day/map.js')?.map(({ code }) => code)).toContain(found?.code);
  });

  test.runIf(isLong)('a finding with several places is one, and each of them offers what there is to do', async () => {
    const map = 'function (doc) {\n  emit(doc.tags.sort(), null);\n  emit(doc.lines.sort(), null);\n}\n';
    const { cwd } = createProject({ 'app/_id': '_design/orders', 'app/views/by_tag/map.js': map });
    const file = 'app/views/by_tag/map.js';
    const editor = await open(cwd);
    await editor.didOpen(file, map);
    await editor.until(() => editor.diagnostics(file)?.length);
    const ours = (editor.diagnostics(file) ?? []).filter(({ code }) => String(code).startsWith('map/mutates-doc'));
    expect(ours).toHaveLength(1);
    expect(ours[0]?.relatedInformation).toMatchObject([
      { message: '`doc.lines.sort()`', location: { uri: editor.uriOf(file), range: { start: { line: 2 } } } },
    ]);
    const textDocument = { uri: editor.uriOf(file) };
    const range = ours[0]?.relatedInformation?.[0]?.location.range;
    /** @type {Hover} */
    const hover = await editor.connection.sendRequest('textDocument/hover', { textDocument, position: range?.start });
    expect(hover.range).toEqual(range);
    /** @type {CodeAction[]} */
    const all = await editor.connection.sendRequest('textDocument/codeAction', {
      textDocument,
      range,
      context: { diagnostics: [] },
    });
    const actions = all.filter(({ diagnostics }) => String(diagnostics?.[0]?.code).startsWith('map/mutates-doc'));
    expect(actions.map(({ title }) => title)).toEqual([
      'Copy the array first',
      'Ignore map/mutates-doc for this line',
      'Ignore this map/mutates-doc finding in the configuration',
    ]);
    const [mend, beside, config] = actions;
    expect(apply(map, changesOf(mend)[0].edits)).toBe(map.replaceAll('.sort', '.slice().sort'));
    expect(changesOf(beside)[0].edits[0].range.start).toEqual({ line: 2, character: 0 });
    const { ignore } = JSON.parse(changesOf(config)[1].edits[0].newText);
    expect(ignore).toHaveLength(2);
    expect(ignore[1].key).not.toBe(ignore[0].key);
  });

  test.runIf(isLong)('an ignore in the configuration goes to the one that holds for the file', async () => {
    const { cwd } = createProject({
      'couch-advisor.config.json': '{}',
      'till/orders.json': WHOLE,
      'till/couch-advisor.config.jsonc': '{} // of the till',
    });
    const editor = await open(cwd);
    await editor.didOpen('till/orders.json', WHOLE);
    await editor.until(() => editor.diagnostics('till/orders.json')?.length);
    const [found] = editor.diagnostics('till/orders.json') ?? [];
    /** @type {CodeAction[]} */
    const actions = await editor.connection.sendRequest('textDocument/codeAction', {
      textDocument: { uri: editor.uriOf('till/orders.json') },
      range: found?.range,
      context: { diagnostics: [] },
    });
    const [write] = changesOf(actions.find(({ title }) => title.endsWith('in the configuration')));
    expect(write.textDocument.uri).toBe(editor.uriOf('till/couch-advisor.config.jsonc'));
    expect(write.edits[0].newText).toMatch(/"file": "orders\.json"[\s\S]*\/\/ of the till/);
  });

  test.each([
    ...sample(
      [
        ['a package.json', 'package.json', '{"name": "shop"}'],
        ['a text', 'notes.txt', 'orders'],
        ['a file that was never written', 'new.json', WHOLE],
      ],
      1,
    ),
  ])('has nothing to say of %s', async (_, file, text) => {
    const { cwd } = createProject({ 'package.json': { name: 'shop' }, 'notes.txt': 'orders' });
    const editor = await open(cwd);
    await editor.didOpen(file, text);
    await editor.until(() => editor.diagnostics(file));
    expect(editor.diagnostics(file)?.filter(({ code }) => code === 'no-design-document')).toEqual([]);
    expect(editor.messages).toEqual([]);
  });

  test.runIf(isLong)('a configuration that cannot be used is told, and does no harm', async () => {
    const { cwd } = createProject({ 'orders.json': WHOLE, 'couch-advisor.config.json': '{"rulez": {}}' });
    const editor = await open(cwd);
    await editor.didOpen('orders.json', WHOLE);
    await editor.until(() => editor.messages.length > 0);
    expect(editor.messages).toHaveLength(1);
    expect(editor.messages[0]).toContain('did you mean `rules`?');
    writeFileSync(path.join(cwd, 'couch-advisor.config.json'), '{}');
    await editor.connection.sendNotification('textDocument/didSave', {
      textDocument: { uri: editor.uriOf('orders.json') },
    });
    await editor.until(() => editor.diagnostics('orders.json')?.length);
  });

  test.runIf(isLong)('folders come and go', async () => {
    const { cwd } = createProject({ 'orders.json': WHOLE });
    mkdirSync(path.join(cwd, 'other'));
    const editor = await open(cwd, { folders: [path.join(cwd, 'other')] });
    await editor.didOpen('orders.json', WHOLE);
    await editor.until(() => editor.diagnostics('orders.json')?.length);
    const count = editor.published.length;
    await editor.connection.sendNotification('workspace/didChangeWorkspaceFolders', {
      event: { added: [{ uri: pathToFileURL(cwd).href, name: 'shop' }], removed: [] },
    });
    await editor.until(() => editor.published.length > count);
    expect(editor.diagnostics('orders.json')).toHaveLength(1);
  });
});

describe('a client that does not keep to the protocol', () => {
  test('is told to initialize first', async () => {
    const { cwd } = createProject({});
    const { child } = start(cwd);
    const connection = createMessageConnection(
      new StreamMessageReader(child.stdout),
      new StreamMessageWriter(child.stdin),
    );
    endings.push(() => connection.dispose());
    connection.listen();
    await expect(connection.sendRequest('textDocument/hover', {})).rejects.toMatchObject({ code: -32002 });
    await connection.sendNotification('textDocument/didOpen', { nonsense: true });
    await connection.sendRequest('initialize', {});
    await expect(connection.sendRequest('initialize', {})).rejects.toMatchObject({ code: -32600 });
    await expect(connection.sendRequest('shop/orders', {})).rejects.toMatchObject({ code: -32601 });
  });

  test.each(
    sample(
      [
        ['no message at all', 'GET / HTTP/1.1\r\n\r\n'],
        ['a length that is none', 'Content-Length: many\r\n\r\n{}'],
        ['a body that is no JSON', 'Content-Length: 5\r\n\r\n{"a":'],
      ],
      1,
    ),
  )('gets one clear error: %s', async (_, text) => {
    const { cwd } = createProject({});
    const { child, exited, stderr } = start(cwd);
    child.stdin.write(text);
    expect(await exited).toBe(2);
    expect(stderr()).toMatch(
      /^error: the input is not the language server protocol: .+\n {2}hint: start `npx --no-install couch-advisor lsp`/,
    );
    expect(stderr()).not.toContain(' at ');
  });

  test('and one that leaves without a word ends it', async () => {
    const { cwd } = createProject({});
    const { child, exited } = start(cwd);
    child.stdin.end();
    expect(await exited).toBe(1);
  });
});
