// The documents are true: their commands run and give what they show, their links lead somewhere, what they name exists.

import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { globSync } from 'tinyglobby';
import { beforeAll, describe, expect, test } from 'vitest';
import { COMMANDS } from '../lib/cli/commands.js';
import { INSTALL_PAGES, IS_PUBLISHED, refreshInstall } from './helpers/install-pages.js';
import { isLong } from './helpers/long.js';
import { ELISION, elide, readAnchors, readBlocks, readExamples, readLinks } from './helpers/markdown.js';
import { root, runCli } from './helpers/run-cli.js';
import { runMain } from './helpers/run-main.js';

const readme = readFileSync(path.join(root, 'README.md'), 'utf8');
const manifest = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'));
const documents = globSync('**/*.md', { cwd: root, ignore: ['**/node_modules/**'] }).sort();
const PROGRAM = 'npx --no-install couch-advisor ';

/** @param {string[]} args @returns {ReturnType<typeof runMain>} */
const run = (...args) => runMain(args, { cwd: root });

/** What `--help` prints, by command. @type {Map<string, ReturnType<typeof runMain>>} */
const helps = new Map();

/** @param {string} name of a command, or nothing @returns {ReturnType<typeof runMain>} */
function helpOf(name) {
  const help = helps.get(name) ?? run(...[name, '--help'].filter(Boolean));
  helps.set(name, help);
  return help;
}

/**
 * @param {string} file relative to the root
 * @returns {string}
 */
function read(file) {
  return readFileSync(path.join(root, file), 'utf8');
}

/**
 * @param {string} file
 * @returns {{command: string, output: string, file: string}[]} of its blocks of `sh`
 */
function examplesOf(file) {
  return readBlocks(read(file))
    .filter(({ info }) => info === 'sh')
    .flatMap((block) => readExamples(block.text).map((example) => ({ ...example, file })));
}

describe('examples', () => {
  const rewrites = process.env['UPDATE_GOLDEN'] !== undefined;
  const pages = ['README.md', ...documents.filter((file) => file.startsWith('docs/'))];

  // The examples of `advise` take as long as half of the others.
  const isWanted = (/** @type {{command: string}} */ { command }) => isLong || rewrites || !/ advise /.test(command);
  test.each(pages.flatMap(examplesOf).filter(isWanted))(
    '$file: `$command` gives what is shown',
    async ({ command, output, file }) => {
      expect(command.startsWith(PROGRAM), 'only the program itself is run').toBe(true);
      const { stdout, stderr } = await run(...command.slice(PROGRAM.length).split(' '));
      const actual = elide(output, stderr + stdout);
      if (rewrites && actual !== output) {
        const page = path.join(root, file);
        const old = readFileSync(page, 'utf8');
        const shown = output === '' ? '' : `${output}\n`;
        writeFileSync(
          page,
          old.replace(`$ ${command}\n${shown}`, () => `$ ${command}\n${actual}\n`),
        );
        return;
      }
      expect(output).toBe(actual);
    },
  );
});

describe('README.md', () => {
  test('has two commands that do all the set-up, near its top', () => {
    const [first, second] = readBlocks(readme).filter(({ text }) => text.startsWith('npm ci'));
    expect(first?.text).toBe('npm ci && npx --no-install couch-advisor lint fixtures/projects/shop\n');
    expect(second?.text).toBe('npm ci && npm test\n');
    expect(readme.indexOf(first?.text ?? '')).toBe(readme.indexOf('```sh\n') + '```sh\n'.length);
    expect(readme.slice(0, second?.end).split('\n').length).toBeLessThan(70);
    expect(manifest.scripts).toHaveProperty('test');
    expect(manifest.bin).toEqual({ 'couch-advisor': 'bin/couch-advisor.js' });
    expect(existsSync(path.join(root, 'package-lock.json'))).toBe(true);
  });

  test('shows a finding at its top, and stays short', () => {
    const [example] = examplesOf('README.md');
    expect(example?.command).toBe(
      'npx --no-install couch-advisor lint fixtures/projects/shop --rule reduce/custom-sum',
    );
    expect(readme.indexOf(example?.command ?? '')).toBeLessThan(500);
    expect(readme.split('\n').length).toBeLessThan(150);
  });

  test('leads to each page of docs/', () => {
    const linked = ['README.md', 'docs/README.md'].flatMap((file) =>
      readLinks(read(file)).map(({ target }) => path.posix.join(path.dirname(file), target.split('#')[0] ?? '')),
    );
    const pages = documents.filter((file) => /^docs\/[^/]+\.md$/.test(file));
    expect(pages.filter((file) => !linked.includes(file))).toEqual([]);
  });
});

describe('the pages of reference', () => {
  const pages = ['README.md', ...documents.filter((file) => file.startsWith('docs/'))];

  test('show the run of the sample project', () => {
    const commands = examplesOf('docs/output.md').map(({ command }) => command);
    expect(commands).toContain('npx --no-install couch-advisor lint fixtures/projects/shop');
  });

  test('show a library that works', async () => {
    const reference = read('docs/library.md');
    const code = readBlocks(reference).find(({ info }) => info === 'js')?.text ?? '';
    const library = await import('../lib/index.js');
    /** @type {string[]} */
    const lines = [];
    const body = code
      .replace(/^import \{ lint \} from 'couch-advisor';$/m, '')
      .replace("paths: ['ddocs']", "cwd, paths: ['design-docs']");
    const run = Object.getPrototypeOf(async () => {}).constructor('lint', 'cwd', 'console', body);
    const cwd = path.join(root, 'fixtures/projects/shop');
    await run(library.lint, cwd, { log: (/** @type {string} */ line) => lines.push(line) });
    expect(lines.length).toBeGreaterThan(3);
    expect(lines[0]).toMatch(/^design-docs\/app\.json:\d+:\d+ \S+ /);
    const named = [...reference.matchAll(/^\| `(\w+)(?:\(|\.get)/gm)].map((match) => match[1]);
    expect([...new Set(named)]).toEqual(['lint', 'lintText', 'fix', 'facts', 'loadRules', 'formats']);
    expect(Object.keys(library)).toEqual(expect.arrayContaining(named));
  });

  test.each(
    pages.flatMap((file) =>
      readBlocks(read(file))
        .filter(({ info }) => info === 'json')
        .map(({ text }) => ({ file, text })),
    ),
  )('show JSON that is JSON: $file %#', ({ text }) => {
    expect(() => JSON.parse(text)).not.toThrow();
  });

  test('show a configuration that is accepted, and name each key', () => {
    const reference = read('docs/configuration.md');
    const text = readBlocks(reference).find(({ info }) => info === 'json couch-advisor.config.json')?.text ?? '';
    const keys = Object.keys(JSON.parse(read('share/schemas/config.schema.json')).properties);
    expect(keys).toEqual(expect.arrayContaining(Object.keys(JSON.parse(text))));
    const mentioned = [...reference.matchAll(/^\| `([a-zA-Z]+)` \|/gm)].map((match) => match[1]);
    expect(mentioned).toEqual(expect.arrayContaining(keys.filter((key) => key !== '$schema')));
  });
});

describe('--help', () => {
  const commands = COMMANDS.map(({ name }) => name);

  test('lists the commands', async () => {
    const { stdout } = await helpOf('');
    expect([...stdout.matchAll(/^ {2}([a-z]+) /gm)].map((match) => match[1])).toEqual(expect.arrayContaining(commands));
    expect(commands).toEqual(expect.arrayContaining(['lint', 'explain', 'facts', 'rules']));
  });

  test('is what a process prints', async () => {
    expect(runCli(['lint', '--help'])).toEqual(await helpOf('lint'));
  });

  test.each(['', ...commands])('of `couch-advisor %s` fits a screen', async (name) => {
    const { stdout, exitCode } = await helpOf(name);
    expect(exitCode).toBe(0);
    const lines = stdout.trimEnd().split('\n');
    expect(lines.length).toBeLessThanOrEqual(50);
    expect(lines.filter((line) => line.length > 80)).toEqual([]);
  });

  test('names each option that the README and the pages of reference do', async () => {
    const help = (await Promise.all(commands.map(helpOf))).map(({ stdout }) => stdout).join('');
    const pages = ['configuration', 'evidence', 'fixes', 'ignores', 'install', 'library', 'output', 'sources'];
    const text = [readme, ...pages.map((page) => read(`docs/${page}.md`))].join('\n');
    const named = new Set([...text.matchAll(/(?<![\w-])--[a-z][a-z-]+/g)].map((match) => match[0]));
    for (const option of ['--help', '--save-dev']) named.delete(option);
    expect([...named].filter((option) => !help.includes(option))).toEqual([]);
  });
});

describe('how to install', () => {
  const pages = INSTALL_PAGES.map((file) => ({ file, page: read(file) }));
  const { version } = manifest;

  test.each(pages)('$file says it as long as the package is not on the registry, and after that', ({ file, page }) => {
    expect(refreshInstall(file, page, { isPublished: IS_PUBLISHED, version })).toBe(page);
    const [before, after] = [false, true].map((isPublished) => refreshInstall(file, page, { isPublished, version }));
    expect(after).not.toContain('not on the npm registry');
    expect(after).not.toMatch(/vendor -- |COMMIT/);
    expect(before).not.toMatch(/npm install --save-dev couch-advisor|rev: v\d/);
    expect(refreshInstall(file, after ?? '', { isPublished: false, version })).toBe(before);
  });

  test('only those pages speak of the registry', () => {
    const others = documents.filter((file) => !INSTALL_PAGES.includes(file));
    expect(others.filter((file) => read(file).includes('not on the npm registry'))).toEqual([]);
  });
});

describe('the package', () => {
  /** @type {Set<string>} */
  let packedFiles;
  beforeAll(() => {
    const printed = execFileSync('npm', ['pack', '--dry-run', '--json', '--ignore-scripts'], {
      cwd: root,
      encoding: 'utf8',
      // On Node.js 22 and later npm leaves compiled code in the temporary folder.
      env: { ...process.env, NODE_DISABLE_COMPILE_CACHE: '1' },
    });
    /** @type {{files: {path: string}[]}[]} */
    const [packed] = JSON.parse(printed);
    packedFiles = new Set(packed?.files.map((file) => file.path));
  });

  test('holds the pages that --help names', async () => {
    const printed = await Promise.all(COMMANDS.map(({ name }) => helpOf(name)));
    const named = printed.flatMap(
      ({ stdout }) => stdout.replaceAll(/\s+/g, ' ').match(/(?<![\w/.-])(?:docs|rules)\/[\w/.-]+\.md/g) ?? [],
    );
    expect(named.length).toBeGreaterThan(1);
    expect(named.filter((file) => !packedFiles.has(file))).toEqual([]);
  });

  test('holds the page that each finding names', async () => {
    const { stdout } = await run('lint', 'fixtures/projects/shop', '--verbose');
    const named = [...stdout.matchAll(/^ {2}rule: (.*)$/gm)].map((match) => match[1] ?? '');
    expect(named).toHaveLength(stdout.match(/^ {2}why: /gm)?.length ?? 0);
    expect(named).toContain('rules/view/include-docs-hot/README.md');
    expect(named.filter((file) => !packedFiles.has(file))).toEqual([]);
  });
});

describe('links', () => {
  test.each(documents)('of %s lead somewhere', (file) => {
    const text = read(file);
    const dead = readLinks(text)
      .filter(({ target }) => !/^[a-z]+:/.test(target))
      .filter(({ target }) => {
        const [to = '', anchor] = target.split('#');
        const other = path.join(root, path.dirname(file), decodeURIComponent(to));
        if (to !== '' && !existsSync(other)) return true;
        if (anchor === undefined) return false;
        if (to !== '' && (statSync(other).isDirectory() || !to.endsWith('.md'))) return false;
        return !readAnchors(to === '' ? text : readFileSync(other, 'utf8')).has(anchor);
      });
    expect(dead).toEqual([]);
  });
});

describe('what is named', () => {
  test('CHANGELOG.md has the version of the package', () => {
    expect(read('CHANGELOG.md')).toMatch(new RegExp(`^## ${manifest.version.replaceAll('.', '\\.')}\\b`, 'm'));
  });

  test('CHANGELOG.md stays short enough to be read', () => {
    expect(statSync(path.join(root, 'CHANGELOG.md')).size).toBeLessThan(8_000);
  });

  test('scripts that the documents name exist', () => {
    const named = documents.flatMap((file) => [...read(file).matchAll(/npm run ([a-z:-]+)/g)].map((match) => match[1]));
    expect(Object.keys(manifest.scripts)).toEqual(expect.arrayContaining(named));
  });

  test('files that scripts run exist', () => {
    const scripts = /** @type {string[]} */ (Object.values(manifest.scripts));
    const files = scripts.flatMap((script) => [...script.matchAll(/node (\S+\.js)/g)].map((match) => match[1] ?? ''));
    expect(files.filter((file) => !existsSync(path.join(root, file)))).toEqual([]);
  });

  test('files that the package exports exist', () => {
    const named = [...Object.values(manifest.exports), ...Object.values(manifest.bin)];
    // `dist` is made when the package is packed, and looked at by the test of the package.
    const targets = named.map((target) => (typeof target === 'string' ? target : target.default));
    const committed = targets.filter((target) => !target.startsWith('./dist/'));
    const missing = committed.filter((target) => !existsSync(path.join(root, target.replace('/*', ''))));
    expect(missing).toEqual([]);
  });

  test('schemas that the documents name exist', () => {
    const named = documents.flatMap((file) =>
      [...read(file).matchAll(/(?<![\w/.-])share\/schemas\/[\w.-]+\.json/g)].map(String),
    );
    expect([...new Set(named)].filter((file) => !existsSync(path.join(root, file)))).toEqual([]);
  });

  test('schemas that data files name exist', () => {
    const files = globSync('rules/**/*.json', { cwd: root });
    const missing = files.filter((file) => {
      const schema = JSON.parse(read(file)).$schema;
      return (
        typeof schema === 'string' && schema.startsWith('.') && !existsSync(path.join(root, path.dirname(file), schema))
      );
    });
    expect(missing).toEqual([]);
  });

  test('rules that the documents name exist', () => {
    const families = new Set(globSync('rules/*/*/rule.json', { cwd: root }).map((file) => file.split('/')[1]));
    const pages = documents.filter((file) => file.startsWith('docs/'));
    const named = ['README.md', 'ARCHITECTURE.md', 'CHANGELOG.md', ...pages].flatMap((file) =>
      [...read(file).matchAll(/`([a-z]+)\/([a-z]+-[a-z-]+)`/g)].filter((match) => families.has(match[1])),
    );
    const missing = named.filter((match) => !existsSync(path.join(root, 'rules', `${match[1]}/${match[2]}`)));
    expect(missing.map(String)).toEqual([]);
  });
});

describe('decisions', () => {
  const pages = globSync('docs/decisions/*.md', { cwd: root }).filter((file) => !file.endsWith('README.md'));

  test('each has its context, decision, evidence and what would change it', () => {
    const headings = ['## Context', '## Decision', '## Evidence', '## What would change it'];
    const sections = (/** @type {string} */ file) => read(file).match(/^## .+(?=\n\n\S)/gm) ?? [];
    expect(pages.filter((file) => sections(file).join() !== headings.join())).toEqual([]);
  });

  test('the index lists each under its title', () => {
    const index = read('docs/decisions/README.md');
    const lines = pages.map((file) => `- [${read(file).split('\n')[0]?.slice(2)}](${path.basename(file)})`);
    expect(lines.filter((line) => !index.includes(line))).toEqual([]);
  });

  test('ARCHITECTURE.md leaves them to their pages', () => {
    expect(statSync(path.join(root, 'ARCHITECTURE.md')).size).toBeLessThan(24_000);
  });
});

describe('the reading of documents', () => {
  test('finds blocks, also such that hold fences', () => {
    const blocks = readBlocks('a\n```sh\n$ x\n```\n````md\n```js\n1\n```\n````\n');
    expect(blocks.map(({ info, text }) => [info, text])).toEqual([
      ['sh', '$ x\n'],
      ['md', '```js\n1\n```\n'],
    ]);
  });

  test('finds commands and what they give', () => {
    expect(readExamples('$ first\none\n\ntwo\n\n$ second\n')).toEqual([
      { command: 'first', output: 'one\n\ntwo' },
      { command: 'second', output: '' },
    ]);
  });

  test.each([
    ['equal', 'a\nb', 'a\nb\n', 'a\nb'],
    ['left out', `a\n${ELISION}\nd`, 'a\nb\nc\nd\n', `a\n${ELISION}\nd`],
    ['another end', `a\n${ELISION}\nd`, 'a\nb\nc\ne\n', `a\n${ELISION}\ne`],
    ['nothing left out', `a\n${ELISION}\nb`, 'a\nb\n', 'a\nb'],
  ])('compares output: %s', (_, shown, actual, expected) => {
    expect(elide(shown, actual)).toBe(expected);
  });

  test('finds links outside code, and anchors', () => {
    expect(readLinks('[a](b.md#c)\n`[x](y)` ![i](i.png "t")\n```\n[n](o)\n```\n')).toEqual([
      { target: 'b.md#c', line: 1 },
      { target: 'i.png', line: 2 },
    ]);
    expect([...readAnchors('# Own rules & `facts`\n```\n# no\n```\n')]).toEqual(['own-rules--facts']);
  });
});
