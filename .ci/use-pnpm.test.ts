import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';

// Habitual commands on a fresh clone must end in one sentence, not in a stack trace or a missing tool.

const root = join(import.meta.dirname, '..');
const folder = mkdtempSync(join(tmpdir(), 'reflexes-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const NPM = 'npm/11.19.1 node/v20.20.2 linux x64 workspaces/false';

test.each([
  ['npm start', NPM, 'prestart', 'Use `npx -y pnpm@12 start`.\n'],
  ['npm test', NPM, 'pretest', 'Use `npx -y pnpm@12 test`.\n'],
  ['yarn start', 'yarn/1.22.22 npm/? node/v20.20.2 linux x64', 'prestart', 'Use `npx -y pnpm@12 start`.\n'],
  ['pnpm@9 start', 'pnpm/9.15.9 npm/? node/v20.20.2 linux x64', 'prestart', 'Use `npx -y pnpm@12 start`.\n'],
  ['npm run build', NPM, 'prebuild', 'Use `npx -y pnpm@12 build`.\n'],
  ['npm run dev', NPM, 'predev', 'Use `npx -y pnpm@12 dev`.\n'],
  ['pnpm@9 iv', 'pnpm/9.15.9 npm/? node/v20.20.2 linux x64', 'preiv', 'Use `npx -y pnpm@12 iv`.\n'],
  [
    'pnpm@9 install',
    'pnpm/9.15.9 npm/? node/v20.20.2 linux x64',
    'pnpm:devPreinstall',
    'Use `npx -y pnpm@12 install`.\n',
  ],
  ['pnpm@12 install', 'pnpm/12.21.0 npm/? node/? linux x64', 'pnpm:devPreinstall', ''],
  ['pnpm@12 start', 'pnpm/12.21.0 npm/? node/? linux x64', 'prestart', ''],
  ['pnpm@12 test', 'pnpm/12.21.0 npm/? node/? linux x64', 'pretest', ''],
  ['pnpm@13 start', 'pnpm/13.0.0 npm/? node/? linux x64', 'prestart', ''],
])('%s ends with %s', (_typed, agent, event, told) => {
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(root, '.ci/use-pnpm.js')], {
    encoding: 'utf8',
    env: { npm_config_user_agent: agent, npm_lifecycle_event: event },
  });
  expect({ status, stdout, stderr }).toEqual({ status: told === '' ? 0 : 1, stdout: '', stderr: told });
});

const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
  scripts: Record<string, string>;
};
const withPnpm = Object.keys(scripts).filter((name) => scripts[name]?.startsWith('pnpm '));

// What is typed would fail first: `pnpm` is not there, or does not know an option. Broke: `npm run build`.
test.each(withPnpm)('`%s` looks first at who runs it', (name) => {
  expect(scripts[`pre${name}`]).toBe('node .ci/use-pnpm.js');
});

// Broke: an older pnpm installed for minutes, and wrote the lockfile in its own form.
test('an install looks first at who runs it', () => {
  expect(scripts['pnpm:devPreinstall']).toBe('node .ci/use-pnpm.js');
});

const npm = spawnSync('npm', ['--version'], { encoding: 'utf8' });

test.skipIf(npm.status !== 0)(
  `npm install ends with the sentence${npm.status === 0 ? '' : ' (npm is not on this machine)'}`,
  () => {
    for (const name of ['package.json', 'pnpm-workspace.yaml', 'pnpm-lock.yaml'])
      cpSync(join(root, name), join(folder, name));
    // It fails before it asks a registry: this one would not answer.
    const registry = '--registry=http://127.0.0.1:1';
    const { status, stderr } = spawnSync('npm', ['install', registry, '--fetch-retries=0'], {
      cwd: folder,
      encoding: 'utf8',
    });
    expect(status).not.toBe(0);
    expect(stderr).toContain('Use `npx -y pnpm@12 start`.');
  },
);
