import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, cpSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { PNPM, root, scripts, useClone } from './a-clone.ts';

const NPM = 'npm/11.19.1 node/v20.20.2 linux x64 workspaces/false';
const YARN = 'yarn/1.22.22 npm/? node/v20.20.2 linux x64';
const PNPM_9 = 'pnpm/9.15.9 npm/? node/v20.20.2 linux x64';

const CONDITION = '--conditions=@insurance-verification/source';

const { commandOf, folder, isInstalled, programs, run, write } = useClone();

const refused = (typed: string) => ({
  status: 1,
  signal: null,
  stdout: '',
  stderr: `Use \`npx -y pnpm@12 ${typed}\`.\n`,
});

// Broke: `npm run build` ended in a tool that was not found.
describe('another package manager, on a fresh clone, is told what to type', () => {
  const typed = Object.keys(scripts).filter((name) => !name.includes(':') || name.startsWith('test:'));

  test.each(typed)('npm run %s', (name) => {
    expect(run(name, NPM)).toEqual(refused(name));
  });

  test.each([
    ['yarn', YARN],
    ['pnpm@9', PNPM_9],
    ['none', ''],
  ])('%s: start', (_manager, agent) => {
    expect(run('start', agent)).toEqual(refused('start'));
  });

  // Broke: an older pnpm installed for minutes, and wrote the lockfile in its own form.
  test('pnpm@9: install', () => {
    expect(run('pnpm:devPreinstall', PNPM_9)).toEqual(refused('install'));
  });

  test('pnpm from 12 on is not', () => {
    const silent = { status: 0, signal: null, stdout: '', stderr: '' };
    expect(run('pnpm:devPreinstall', PNPM)).toEqual(silent);
    expect(run('pnpm:devPreinstall', 'pnpm/13.0.0 npm/? node/? linux x64')).toEqual(silent);
  });
});

describe('where everything is installed, another package manager', () => {
  test('runs what runs, and installs nothing', () => {
    isInstalled();
    expect(run('start', NPM)).toMatchObject({ status: 0, stderr: '' });
    expect(run('iv', PNPM_9)).toMatchObject({ status: 0, stderr: '' });
  });

  test('still cannot test: that takes pnpm', () => {
    isInstalled();
    expect(run('test', NPM)).toEqual(refused('test'));
  });
});

describe('what a program needs is installed first', () => {
  test('of a fresh clone, what runs', () => {
    const { stdout, stderr } = run('iv');
    expect(stderr).toBe('pnpm install --prod --frozen-lockfile --trust-lockfile\n');
    expect(JSON.parse(stdout)).toEqual([CONDITION]);
  });

  test('later, what is missing', () => {
    isInstalled();
    expect(run('iv').stderr).toBe('pnpm exec node --eval 0\n');
  });

  test.each(['bench', 'vitest'])('for %s, everything', (name) => {
    isInstalled();
    const { status, stdout } = run(name);
    expect(stdout).toMatch(/^pnpm install\n\[.*\]\n$/);
    expect(status).toBe(0);
  });

  test('an install that fails ends the script', () => {
    write('bin/pnpm', '#!/bin/sh\nexit 7\n');
    expect(run('start')).toEqual({ status: 7, signal: null, stdout: '', stderr: '' });
  });
});

// Broke: it ended in a stack of Node, or in what pnpm says of a folder within node_modules.
describe('a checkout that cannot be written', () => {
  // Root may write anywhere.
  const uid = process.getuid?.() === 0 ? 65_534 : undefined;
  const runIt = () => {
    chmodSync(folder(), 0o555);
    const [command, args, options] = commandOf('start', PNPM);
    const { status, stdout, stderr } = spawnSync(command, args, {
      ...options,
      encoding: 'utf8',
      ...(uid !== undefined && { uid }),
    });
    chmodSync(folder(), 0o755);
    return { status, stdout, stderr };
  };

  test('and is installed, runs', () => {
    isInstalled();
    chmodSync(join(folder(), 'packages/one'), 0o555);
    expect(runIt()).toMatchObject({ status: 0, stderr: 'pnpm exec node --eval 0\n' });
  });

  test('and is not, is reported as that in one sentence', () => {
    const stderr = `${folder()} cannot be written (EACCES), and what runs is not installed in it yet.\n`;
    expect(runIt()).toEqual({ status: 1, stdout: '', stderr });
  });
});

test('the service alone starts with the flags of apps/api/node-flags', () => {
  isInstalled();
  const flags = readFileSync(join(root, 'apps/api/node-flags'), 'utf8').trim().split('\n');
  expect(flags.length).toBeGreaterThan(0);
  expect(JSON.parse(run('start').stdout)).toEqual([CONDITION, ...flags]);
  expect(JSON.parse(run('iv').stdout)).toEqual([CONDITION]);
});

// The second is how an older Node does it, which has no `execve`.
describe.each([
  ['becomes the program', true, {}],
  [
    'waits for the program',
    false,
    { NODE_OPTIONS: '--import=data:text/javascript,process.execve=undefined' },
  ],
])('a script that %s', (_how, becomes, env) => {
  beforeEach(isInstalled);

  /** The script's own process, without the manager's shell. */
  function start(program: string, agent: string, detached = false) {
    programs(program);
    const [node = '', ...words] = scripts['start']?.split(' ') ?? [];
    const [, , options] = commandOf('start', agent, env);
    const script = spawn(node, words, { ...options, detached, stdio: ['pipe', 'pipe', 'ignore'] });
    onTestFinished(() => void script.kill('SIGKILL'));
    return script;
  }

  test('ends with its exit status', () => {
    programs('process.exitCode = 7;');
    expect(run('start', PNPM, env)).toMatchObject({ status: 7, signal: null });
  });

  test('ends by the signal that ended it', async () => {
    const script = start("process.kill(process.pid, 'SIGKILL');", PNPM);
    expect(await once(script, 'exit')).toEqual([null, 'SIGKILL']);
  });

  test('gives it its stdin and its arguments', () => {
    programs('console.log(process.argv.slice(2)); process.stdin.pipe(process.stdout);');
    expect(run('demo', PNPM, env)).toMatchObject({ status: 0, stdout: "[ 'demo' ]\ntyped" });
  });

  describe.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)('gives it a %s', (signal) => {
    const COUNTS = `let count = 0;
      process.on('${signal}', () => { count++; setTimeout(() => process.exit(count), 300); });
      process.stdin.resume().on('end', () => process.exit()); // with the test, whatever becomes of it
      console.log(process.pid);`;

    test('that it gets alone', async () => {
      const script = start(COUNTS, NPM);
      const [pid] = (await once(script.stdout, 'data')) as [Buffer];
      expect(Number(pid) === script.pid).toBe(becomes);
      script.kill(signal);
      expect(await once(script, 'exit')).toEqual([1, null]);
    });

    // Two would end the service without its database.
    test('that pnpm sends to the group, once', async () => {
      const script = start(COUNTS, PNPM, true);
      await once(script.stdout, 'data');
      process.kill(-(script.pid ?? Number.NaN), signal);
      expect(await once(script, 'exit')).toEqual([1, null]);
    });
  });
});

// It fails before it asks a registry: this one would not answer.
const npm = spawnSync('npm', ['--version'], { encoding: 'utf8' });
test.skipIf(npm.status !== 0)(
  `npm install ends with the sentence${npm.status === 0 ? '' : ' (npm is not on this machine)'}`,
  () => {
    for (const name of ['package.json', 'pnpm-workspace.yaml', 'pnpm-lock.yaml'])
      cpSync(join(root, name), join(folder(), name));
    const { status, stderr } = spawnSync(
      'npm',
      ['install', '--registry=http://127.0.0.1:1', '--fetch-retries=0'],
      { cwd: folder(), encoding: 'utf8' },
    );
    expect(status).not.toBe(0);
    expect(stderr).toContain('Use `npx -y pnpm@12 start`.');
  },
);
