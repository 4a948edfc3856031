// The extension for Visual Studio Code: which server it starts, that the server answers, and that it can be packaged.

import { spawn, spawnSync } from 'node:child_process';
import { copyFileSync, cpSync, mkdirSync, readFileSync, rmSync, statSync, symlinkSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import process from 'node:process';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createMessageConnection, StreamMessageReader, StreamMessageWriter } from 'vscode-jsonrpc/node';
import { findServer } from '../../share/vscode/find-server.js';
import { root } from '../helpers/run-cli.js';
import { createProject } from '../helpers/temporary-project.js';
import { findTool } from '../helpers/tools.js';

const extension = path.join(root, 'share/vscode');
const manifest = JSON.parse(readFileSync(path.join(extension, 'package.json'), 'utf8'));
const BIN = 'bin/couch-advisor.js';
const vsce = findTool('vsce');
const python = findTool('python3');

/**
 * @param {string} folder
 * @param {import('../helpers/temporary-project.js').Project} project
 */
function install(folder, project) {
  mkdirSync(path.join(project.cwd, folder, 'node_modules'), { recursive: true });
  symlinkSync(root, path.join(project.cwd, folder, 'node_modules/couch-advisor'));
}

describe('the server of a workspace', () => {
  const own = path.join(root, BIN);

  test('is the package that is installed in the folder or above it', () => {
    const project = createProject({ 'shop/ddocs/orders.json': {} });
    install('shop', project);
    expect(findServer([path.join(project.cwd, 'shop')], '')).toBe(own);
    expect(findServer([path.join(project.cwd, 'shop/ddocs')], '')).toBe(own);
  });

  test('is that of the first folder that has one', () => {
    const project = createProject({ 'docs/README.md': '', 'shop/package.json': {} });
    install('shop', project);
    expect(findServer([path.join(project.cwd, 'docs'), path.join(project.cwd, 'shop')], '')).toBe(own);
  });

  test('goes before the configured one, which goes before none', () => {
    const project = createProject({ [`other/${BIN}`]: '', 'shop/package.json': {} });
    const folder = path.join(project.cwd, 'shop');
    const other = path.join(project.cwd, 'other');
    expect(findServer([folder], other)).toBe(path.join(other, BIN));
    expect(findServer([folder], '../other')).toBe(path.join(other, BIN));
    expect(findServer([], other)).toBe(path.join(other, BIN));
    install('shop', project);
    expect(findServer([folder], other)).toBe(own);
  });

  test('is none where nothing is installed, or what is configured is no package', () => {
    const project = createProject({ 'package.json': {} });
    expect(findServer([project.cwd], '')).toBeUndefined();
    expect(findServer([project.cwd], project.cwd)).toBeUndefined();
    expect(findServer([], '')).toBeUndefined();
  });
});

/** A stand-in for the modules that only the editor has, which records what the extension does with them. */
const STUBS = {
  'node_modules/vscode/index.js': `
const calls = { lines: [], errors: [], clients: [], changes: {}, executed: [] };
exports.calls = calls;
exports.folders = [];
exports.settings = { path: '' };
exports.commands = {
  registerCommand: (name, run) => { calls[name] = run; return {}; },
  executeCommand: async (name, uri) => { calls.executed.push([name, uri]); },
};
exports.Uri = { parse: (text) => ({ path: new URL(text).pathname }) };
exports.window = {
  createOutputChannel: () => ({ appendLine: (line) => calls.lines.push(line) }),
  showErrorMessage: (text) => calls.errors.push(text),
};
exports.workspace = {
  get workspaceFolders() { return exports.folders.map((fsPath) => ({ uri: { fsPath } })); },
  getConfiguration: () => ({ get: (name) => exports.settings[name] }),
  createFileSystemWatcher: () => ({}),
  onDidChangeConfiguration: (run) => { calls.changes.configuration = run; return {}; },
  onDidChangeWorkspaceFolders: (run) => { calls.changes.folders = run; return {}; },
};
`,
  'node_modules/vscode-languageclient/node.js': `
const { calls } = require('vscode');
exports.LanguageClient = class {
  constructor(id, name, server, options) { Object.assign(this, { id, name, server, options, state: 'new' }); calls.clients.push(this); }
  async start() { this.state = 'started'; if (exports.failure) throw exports.failure; }
  async dispose() { this.state = 'disposed'; if (exports.failure) throw exports.failure; }
};
`,
};

describe('the extension', () => {
  /** @returns {{project: import('../helpers/temporary-project.js').Project, vscode: any, client: any, main: any}} */
  function load() {
    const project = createProject({ ...STUBS, 'shop/package.json': {} });
    for (const file of ['package.json', 'extension.js', 'find-server.js']) {
      copyFileSync(path.join(extension, file), path.join(project.cwd, file));
    }
    const fromThere = createRequire(path.join(project.cwd, 'extension.js'));
    const vscode = fromThere('vscode');
    vscode.folders = [path.join(project.cwd, 'shop')];
    return { project, vscode, client: fromThere('vscode-languageclient/node'), main: fromThere('./extension.js') };
  }

  test('starts a server that answers', async () => {
    const { project, vscode, main } = load();
    install('shop', project);
    await main.activate({ subscriptions: [] });
    const [{ server, options, state }] = vscode.calls.clients;
    expect(state).toBe('started');
    expect(options.documentSelector).toContainEqual({ scheme: 'file', language: 'ini' });
    const child = spawn(server.command, server.args, server.options);
    onTestFinished(() => {
      child.kill('SIGKILL');
    });
    const connection = createMessageConnection(
      new StreamMessageReader(child.stdout),
      new StreamMessageWriter(child.stdin),
    );
    onTestFinished(() => connection.dispose());
    connection.listen();
    const params = { processId: process.pid, capabilities: {}, rootUri: null, workspaceFolders: null };
    expect(await connection.sendRequest('initialize', params)).toMatchObject({ serverInfo: { name: 'couch-advisor' } });
    await main.deactivate();
    expect(vscode.calls.clients[0].state).toBe('disposed');
  });

  test('shows the page of a rule as a preview, and other files as the editor does', async () => {
    const { project, vscode, main } = load();
    install('shop', project);
    await main.activate({ subscriptions: [] });
    const [{ options }] = vscode.calls.clients;
    const { showDocument } = options.middleware.window;
    const next = async () => 'by the editor';
    expect(await showDocument({ uri: 'file:///rules/a/README.md' }, {}, next)).toEqual({ success: true });
    expect(vscode.calls.executed).toEqual([['markdown.showPreview', { path: '/rules/a/README.md' }]]);
    expect(await showDocument({ uri: 'file:///shop/orders.json' }, {}, next)).toBe('by the editor');
  });

  test('says where there is none, and starts it once there is', async () => {
    const { project, vscode, main } = load();
    await main.activate({ subscriptions: [] });
    expect(vscode.calls).toMatchObject({ clients: [], errors: [] });
    expect(vscode.calls.lines.join()).toContain('is not installed in this workspace');
    install('shop', project);
    await vscode.calls['couchAdvisor.restart']();
    expect(vscode.calls.clients).toHaveLength(1);
    // The client itself sends changed folders to a server that runs.
    await vscode.calls.changes.folders();
    await vscode.calls.changes.configuration({ affectsConfiguration: () => false });
    expect(vscode.calls.clients).toHaveLength(1);
    await vscode.calls.changes.configuration({ affectsConfiguration: () => true });
    expect(vscode.calls.clients.map((/** @type {any} */ { state }) => state)).toEqual(['disposed', 'started']);
  });

  test('shows why a server does not start, and can start it later', async () => {
    const { project, vscode, client, main } = load();
    install('shop', project);
    client.failure = new Error('spawn failed');
    await main.activate({ subscriptions: [] });
    expect(vscode.calls.errors).toEqual(['couch-advisor did not start: spawn failed']);
    client.failure = undefined;
    await vscode.calls['couchAdvisor.restart']();
    expect(vscode.calls.clients.at(-1).state).toBe('started');
  });

  test('uses the names that its manifest declares, and is not started in a workspace that is not trusted', async () => {
    const { vscode, main } = load();
    await main.activate({ subscriptions: [] });
    const declared = manifest.contributes.commands.map((/** @type {any} */ { command }) => command);
    expect(declared.filter((/** @type {string} */ name) => typeof vscode.calls[name] !== 'function')).toEqual([]);
    expect(Object.keys(manifest.contributes.configuration.properties)).toEqual(['couchAdvisor.path']);
    expect(manifest.capabilities.untrustedWorkspaces.supported).toBe(false);
  });

  test('has the version of the package', () => {
    expect(manifest.version).toBe(JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')).version);
  });
});

describe.skipIf(!vsce || !python)('vsce', () => {
  test('makes a package of sound types that holds what it needs', () => {
    const project = createProject();
    const folder = path.join(project.cwd, 'share/vscode');
    cpSync(extension, folder, {
      recursive: true,
      filter: (file) => !/node_modules|\.vsix$/.test(path.relative(root, file)),
    });
    copyFileSync(path.join(root, 'LICENSE'), path.join(project.cwd, 'LICENSE'));
    const run = (/** @type {string} */ command, /** @type {string[]} */ args) => {
      const { stdout, stderr, status } = spawnSync(command, args, { cwd: folder, encoding: 'utf8' });
      expect(status, stdout + stderr).toBe(0);
      return stdout;
    };
    run('npm', ['ci', '--omit=dev', '--ignore-scripts', '--no-audit', '--no-fund', '--prefer-offline']);
    // Against the published types of the oldest editor that the manifest names, and those of the client.
    const TSC =
      '--noEmit --allowJs --checkJs --strict --skipLibCheck --target es2023 --module node16 --types node,vscode'.split(
        ' ',
      );
    const typeRoots = path.join(root, 'node_modules/@types');
    const tsc = path.join(root, 'node_modules/typescript/bin/tsc');
    run(process.execPath, [tsc, ...TSC, '--typeRoots', typeRoots, 'extension.js', 'find-server.js']);
    const printed = run(vsce ?? '', ['package', '--allow-missing-repository', '--out', 'made.vsix']);
    expect(printed).not.toMatch(/warning/i);
    expect(statSync(path.join(folder, 'made.vsix')).size).toBeLessThan(1_000_000);

    run(python ?? '', ['-m', 'zipfile', '-e', 'made.vsix', 'unpacked']);
    rmSync(path.join(folder, 'node_modules'), { recursive: true });
    const unpacked = project.list().flatMap((file) => file.split('share/vscode/unpacked/extension/')[1] ?? []);
    expect(unpacked.filter((file) => !file.startsWith('node_modules/'))).toEqual([
      'LICENSE.txt',
      'extension.js',
      'find-server.js',
      'package.json',
      'readme.md',
    ]);
    // Every module that it loads is in the package, except for the one that the editor brings.
    project.write({
      'share/vscode/unpacked/node_modules/vscode/index.js': 'module.exports = new Proxy({}, { get: () => class {} });',
    });
    run(process.execPath, ['-e', "require('./unpacked/extension/extension.js')"]);
  });
});
