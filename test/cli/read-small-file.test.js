import { execFileSync } from 'node:child_process';
import { truncateSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { createProject, ordersWith } from '../helpers/temporary-project.js';

const CONFIG = 'couch-advisor.config.json';

describe('what is held whole in memory', () => {
  test.each([
    [['lint'], '/dev/zero', 'cannot read the baseline'],
    [['lint', '--no-config', '--config', '/dev/zero'], undefined, 'cannot read the configuration file'],
    [['confirm', '--no-config', '--plan', '/dev/zero'], undefined, 'cannot read the plan'],
    [['digest', '--merge', '/dev/zero'], undefined, 'cannot read /dev/zero'],
  ])('%j is no device: %s', async (argv, baseline, message) => {
    const project = createProject({
      'orders.json': ordersWith('_sum'),
      ...(baseline ? { [CONFIG]: { baseline } } : {}),
    });
    const { stderr, exitCode } = await project.run(argv);
    expect(stderr).toContain(message);
    expect(stderr).toContain('(not a file)');
    expect(exitCode).toBeGreaterThan(1);
  });

  test('is within a limit', async () => {
    const project = createProject({ 'orders.json': ordersWith('_sum') });
    const file = path.join(project.cwd, 'known.json');
    writeFileSync(file, '');
    truncateSync(file, 3 * 1024 ** 3);
    const { stderr, exitCode } = await project.run(['lint', '--baseline', 'known.json']);
    expect(stderr).toContain('cannot read the baseline known.json (larger than 64 MiB)');
    expect(exitCode).toBe(2);
  });

  test('is no pipe that nobody named', async () => {
    const project = createProject({ 'orders.json': ordersWith('_sum'), [CONFIG]: { baseline: 'known.json' } });
    execFileSync('mkfifo', [path.join(project.cwd, 'known.json')]);
    expect((await project.run(['lint'])).stderr).toContain('cannot read the baseline known.json (not a file)');
  });
});
