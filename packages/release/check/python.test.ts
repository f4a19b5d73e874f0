import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createTestDatabase } from '@insurance-verification/store/testing';
import { aFolder } from '@insurance-verification/testing/a-folder';
import { INSTALL_PATIENCE_MS, installOnce, run } from '@insurance-verification/testing/install-once';
import {
  type ServiceProcess,
  startServiceProcess,
} from '@insurance-verification/testing/start-service-process';
import { afterAll, beforeAll, expect, test } from 'vitest';

const root = join(import.meta.dirname, '../../..');
const source = join(root, 'packages/python-client');
const GENERATED = ['_operations.py', '_version.py', 'errors.py', 'models.py'];
const { version } = JSON.parse(readFileSync(join(root, 'packages/client/package.json'), 'utf8')) as {
  version: string;
};
const name = `insurance_verification-${version}`;

let service: ServiceProcess;
let build: (folder: string) => Promise<string>;
let built: string;

beforeAll(async () => {
  await run('pnpm', ['generate:python'], { cwd: root });
  const tools = await installOnce('python-build-1.6.1', async (empty) => {
    await run('python3', ['-m', 'venv', empty]);
    await run(`${empty}/bin/pip`, ['install', '--quiet', 'build==1.6.1', 'hatchling==1.33.0']);
  });
  build = async (folder) => {
    const to = aFolder();
    await run(`${tools}/bin/python`, ['-m', 'build', '--no-isolation', '--outdir', to, folder]);
    return to;
  };
  built = await build(source);
  const { connectionString } = await createTestDatabase();
  service = await startServiceProcess({ databaseUrl: connectionString, roles: 'http' });
}, INSTALL_PATIENCE_MS);
afterAll(() => service.stop());

test('the wheel has the version of the npm packages, and a changelog of it', () => {
  expect(globSync('*', { cwd: built }).toSorted()).toEqual([`${name}-py3-none-any.whl`, `${name}.tar.gz`]);
  expect(readFileSync(join(source, 'CHANGELOG.md'), 'utf8')).toContain(`\n## ${version}\n`);
});

// Hatchling leaves out what git ignores, and the generated files are.
test('the wheel and the sdist have what is generated, and the sdist makes the same wheel', async () => {
  const folder = aFolder();
  await run('tar', ['-xzf', join(built, `${name}.tar.gz`), '-C', folder]);
  const again = await build(join(folder, name));
  const list = ['-m', 'zipfile', '--list'];
  const [first = '', second = ''] = await Promise.all(
    [built, again].map((one) => run('python3', [...list, join(one, `${name}-py3-none-any.whl`)])),
  );
  for (const file of [...GENERATED, 'py.typed']) expect(first).toContain(`insurance_verification/${file} `);
  expect(first).toContain('licenses/LICENSE ');
  expect(second).toBe(first);
});

test(
  'the oldest and the newest Python here install and run it',
  { timeout: INSTALL_PATIENCE_MS },
  async () => {
    const here = await pythons();
    expect(here.length).toBeGreaterThan(0);
    for (const python of new Set([here.at(0), here.at(-1)])) {
      const venv = aFolder();
      await run(python ?? '', ['-m', 'venv', venv]);
      await run(`${venv}/bin/pip`, ['install', '--quiet', join(built, `${name}-py3-none-any.whl`)]);
      const args = ['-c', PROGRAM, service.url, service.apiKey];
      expect((await run(`${venv}/bin/python`, args)).trim()).toBe(`${version} 4`);
    }
  },
);

const PROGRAM = `
import sys
from importlib.metadata import version
from insurance_verification import Client

with Client(*sys.argv[1:]) as client:
    print(version("insurance-verification"), len(client.payers.list().items))
`;

/** The Pythons of this machine from the oldest that the wheel takes on. */
async function pythons(): Promise<string[]> {
  const [, oldest = ''] =
    /requires-python = ">=3\.(\d+)"/.exec(readFileSync(join(source, 'pyproject.toml'), 'utf8')) ?? [];
  const names = Array.from({ length: 10 }, (_, index) => `python3.${Number(oldest) + index}`);
  const runs = await Promise.all(
    names.map((one) =>
      run(one, ['--version']).then(
        () => [one],
        () => [],
      ),
    ),
  );
  return runs.flat();
}
