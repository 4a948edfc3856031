// The recipes of docs/editors.md as they stand there, in the editors that are installed here, without a screen.

import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { describe, expect, test } from 'vitest';
import { readBlocks } from '../helpers/markdown.js';
import { root } from '../helpers/run-cli.js';
import { createProject, ordersWith } from '../helpers/temporary-project.js';
import { findTool } from '../helpers/tools.js';

/** How long an editor waits for the server; only a failing test takes so long. */
const PATIENCE_S = 120;

const blocks = readBlocks(readFileSync(path.join(root, 'docs/editors.md'), 'utf8'));
/** @param {string} info @returns {string[]} */
const recipesIn = (info) => blocks.filter((block) => block.info === info).map(({ text }) => text);

const nvim = findTool('nvim');
const emacs = findTool('emacs');

/** What the editors are to show of `ORDERS`, whose reduce is none of CouchDB's, and of `SETTINGS`. */
const ORDERS = ordersWith('_total');
const SETTINGS = '[cors]\norigins = *\ncredentials = true\n\n[chttpd]\nenable_cors = true\n';

/** @param {{isInstalled?: boolean}} [options] whether the project has couch-advisor among its packages */
function createShop({ isInstalled = true } = {}) {
  const project = createProject({
    'package.json': { name: 'shop', private: true },
    'ddocs/orders.json': ORDERS,
    'ddocs/stock.json': ordersWith('_total', 'stock'),
    'couchdb/local.ini': SETTINGS,
  });
  if (isInstalled) {
    mkdirSync(path.join(project.cwd, 'node_modules/.bin'), { recursive: true });
    symlinkSync(root, path.join(project.cwd, 'node_modules/couch-advisor'));
    symlinkSync('../couch-advisor/bin/couch-advisor.js', path.join(project.cwd, 'node_modules/.bin/couch-advisor'));
  }
  return project;
}

/**
 * @param {string} command
 * @param {string[]} args
 * @param {string} cwd an editor keeps its files below it
 * @returns {string} what it wrote
 */
function runEditor(command, args, cwd) {
  const home = path.join(cwd, 'home');
  mkdirSync(home, { recursive: true });
  const env = { PATH: `${path.dirname(process.execPath)}:${process.env['PATH']}`, HOME: home, TERM: 'dumb' };
  const { stdout, stderr, status } = spawnSync(command, args, { cwd, env, encoding: 'utf8' });
  expect(status, stderr).toBe(0);
  return stdout + stderr;
}

describe.skipIf(!nvim)('Neovim', () => {
  const [recipe = ''] = recipesIn('lua');

  /**
   * Opens the files one after the other, each until it has diagnostics or has none for good.
   * @param {ReturnType<typeof createShop>} project
   * @param {string[]} files
   * @returns {{codes: Record<string, string[]>, clients: number}} codes of the diagnostics by file
   */
  function open(project, files) {
    project.write({
      'init.lua': recipe,
      'files.json': files,
      'check.lua': `
local result = { codes = vim.empty_dict(), clients = 0 }
local clients = vim.lsp.get_clients or vim.lsp.get_active_clients
for _, file in ipairs(vim.fn.json_decode(vim.fn.readfile('files.json'))) do
  vim.cmd('edit ' .. file)
  if vim.fn.isdirectory('node_modules') == 1 then
    vim.wait(${PATIENCE_S}000, function() return #vim.diagnostic.get(0) > 0 end, 50)
  end
  result.codes[file] = vim.tbl_map(function(one) return one.code or one.user_data.lsp.code end, vim.diagnostic.get(0))
end
result.clients = #clients()
vim.fn.writefile({ vim.fn.json_encode(result) }, 'result.json')
vim.cmd('qall!')
`,
    });
    runEditor(nvim ?? '', ['--headless', '-n', '-i', 'NONE', '-u', 'init.lua', '-c', 'luafile check.lua'], project.cwd);
    return JSON.parse(project.read('result.json'));
  }

  test('shows what is found in design documents and settings, by one server', () => {
    expect(open(createShop(), ['ddocs/orders.json', 'ddocs/stock.json', 'couchdb/local.ini'])).toEqual({
      codes: {
        'ddocs/orders.json': ['reduce/unknown-builtin#refused'],
        'ddocs/stock.json': ['reduce/unknown-builtin#refused'],
        'couchdb/local.ini': expect.arrayContaining(['security/cors-any-origin#any-origin']),
      },
      clients: 1,
    });
  });

  test('starts nothing where the project has no couch-advisor', () => {
    expect(open(createShop({ isInstalled: false }), ['ddocs/orders.json'])).toEqual({
      codes: { 'ddocs/orders.json': [] },
      clients: 0,
    });
  });
});

describe.skipIf(!emacs)('Emacs', () => {
  const [eglot = '', lspMode = ''] = recipesIn('elisp');
  const COMMON = `(require 'cl-lib)
(package-initialize)
(defun until (is-there)
  (let ((end (+ (float-time) ${PATIENCE_S})))
    (while (and (not (funcall is-there)) (< (float-time) end)) (accept-process-output nil 0.1))))
(defvar result-file (expand-file-name "result.json"))
(defun result (texts) (with-temp-file result-file (insert (json-encode (vconcat texts)))))
`;

  /** @param {string} library @returns {boolean} whether it comes with this Emacs or is installed; it is to be there where tools are needed */
  function hasLibrary(library) {
    const args = ['--batch', '-q', '--eval', `(progn (package-initialize) (require '${library}))`];
    const isThere = emacs !== undefined && spawnSync(emacs, args).status === 0;
    if (!isThere && process.env['TEST_TOOLS_NEEDED'] === 'true') throw new Error(`Emacs has no ${library}`);
    return isThere;
  }

  /**
   * @param {string} recipe
   * @param {string} check writes `result.json`
   * @param {string} file
   * @returns {string[]} first lines of the diagnostics
   */
  function open(recipe, check, file) {
    const project = createShop();
    project.write({ 'init.el': COMMON + recipe, 'check.el': `(find-file "${file}")\n${check}` });
    runEditor(emacs ?? '', ['--batch', '-q', '-l', 'init.el', '-l', 'check.el'], project.cwd);
    return JSON.parse(project.read('result.json'));
  }

  const FILES = /** @type {const} */ ([
    ['ddocs/orders.json', '`_total`'],
    ['couchdb/local.ini', '`[cors]`'],
  ]);

  describe.skipIf(!hasLibrary('eglot'))('with Eglot', () => {
    test.each(FILES)('shows what is found in %s', (file, message) => {
      const check = `(call-interactively #'eglot)
(until (lambda () (flymake-start) (flymake-diagnostics)))
(result (mapcar #'flymake-diagnostic-text (flymake-diagnostics)))
`;
      expect(open(eglot, check, file).join('\n')).toContain(message);
    });
  });

  describe.skipIf(!hasLibrary('lsp-mode'))('with lsp-mode', () => {
    test.each(FILES)('shows what is found in %s', (file, message) => {
      const check = `(require 'lsp-mode)
(setq lsp-auto-guess-root t lsp-enable-file-watchers nil)
(lsp)
(until (lambda () (> (hash-table-count (lsp-diagnostics)) 0)))
(result (cl-loop for list being the hash-values of (lsp-diagnostics)
                 append (mapcar (lambda (one) (lsp-get one :message)) list)))
`;
      expect(open(lspMode, check, file).join('\n')).toContain(message);
    });
  });
});
