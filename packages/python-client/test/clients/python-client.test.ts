import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createTestDatabase } from '@insurance-verification/store/testing';
import { aFolder } from '@insurance-verification/testing/a-folder';
import { INSTALL_PATIENCE_MS, installOnce, run } from '@insurance-verification/testing/install-once';
import {
  type ServiceProcess,
  startServiceProcess,
} from '@insurance-verification/testing/start-service-process';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { generatedFiles } from '../../scripts/generated-files.ts';

const root = join(import.meta.dirname, '../..');
const TOOLS = ['build==1.6.1', 'hatchling==1.33.0', 'mypy==2.4.1', 'pytest==9.0.2', 'trio==0.35.0'];
const PYRIGHT = '1.1.414';

let python: string;
let service: ServiceProcess;
let env: NodeJS.ProcessEnv;

beforeAll(async () => {
  for (const [path, text] of Object.entries(generatedFiles())) writeFileSync(join(root, path), text);
  const installed = await installOnce(TOOLS.join('+'), async (empty) => {
    await run('python3', ['-m', 'venv', empty]);
    await run(`${empty}/bin/pip`, ['install', '--quiet', ...TOOLS]);
  });
  python = `${installed}/bin/python`;
  const wheels = aFolder();
  await run(python, ['-m', 'build', '--no-isolation', '--outdir', wheels, root]);
  const [wheel = ''] = globSync('*.whl', { cwd: wheels });
  const pip = ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check'];
  await run(python, [...pip, join(wheels, wheel)]);
  await run(python, [...pip, '--force-reinstall', '--no-deps', join(wheels, wheel)]);

  const { connectionString } = await createTestDatabase();
  service = await startServiceProcess({ databaseUrl: connectionString });
  const { account_id } = await post<{ account_id: string }>('/accounts', { name: 'Python', mode: 'test' });
  const keyOf = async (scope: string) =>
    (await post<{ key: string }>('/keys', { account_id, name: scope, scopes: [scope] })).key;
  const secrets = await fetch(`${service.url}/webhook-secret`, {
    headers: { 'x-key': await keyOf('secrets') },
  });
  env = {
    ...process.env,
    IV_URL: service.url,
    IV_API_KEY: await keyOf('requests'),
    IV_WEBHOOK_SECRET: ((await secrets.json()) as { current: string }).current,
    README: join(root, 'README.md'),
    GUIDE: join(root, '../../apps/docs/guides/python.md'),
  };
}, INSTALL_PATIENCE_MS);
afterAll(() => service.stop());

async function post<T>(path: string, body: object): Promise<T> {
  const answer = await fetch(`${service.url}${path}`, {
    method: 'POST',
    headers: { 'x-key': service.apiKey, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  if (!answer.ok) throw new Error(`${path} answered ${answer.status}: ${await answer.text()}`);
  return (await answer.json()) as T;
}

/** What a program wrote. @throws with it when the program fails. */
async function said(command: string, args: readonly string[], cwd: string): Promise<string> {
  try {
    return await run(command, args, { cwd, env });
  } catch (err) {
    const { stdout = '', stderr = '' } = err as { stdout?: string; stderr?: string };
    throw new Error(`${args.join(' ')} failed:\n${stdout}${stderr}`, { cause: err });
  }
}

const tests = join(import.meta.dirname, 'python');

test.each(['test_service.py', 'test_failures.py', 'test_pages.py'])(
  '%s',
  { timeout: INSTALL_PATIENCE_MS },
  async (file) => {
    const args = ['-m', 'pytest', '-q', '-p', 'no:cacheprovider', join(tests, file)];
    expect(await said(python, args, aFolder())).toMatch(/\d+ passed/);
  },
);

test('mypy --strict accepts the package and its consumers', { timeout: INSTALL_PATIENCE_MS }, async () => {
  const files = globSync('*.py', { cwd: tests }).map((file) => join(tests, file));
  const package_ = ['-p', 'insurance_verification'];
  const mypy = ['-m', 'mypy', '--strict', '--cache-dir', aFolder()];
  expect(await said(python, [...mypy, ...files], aFolder())).toContain('no issues found');
  expect(await said(python, [...mypy, ...package_], aFolder())).toContain('no issues found');
});

test('pyright accepts a consumer, strictly', { timeout: INSTALL_PATIENCE_MS }, async () => {
  const pyright = await installOnce(`pyright-${PYRIGHT}`, (empty) =>
    run('npm', ['install', '--prefix', empty, '--no-audit', '--no-fund', `pyright@${PYRIGHT}`]),
  );
  const folder = aFolder();
  writeFileSync(join(folder, 'consumer.py'), readFileSync(join(tests, 'consumer.py')));
  writeFileSync(join(folder, 'pyrightconfig.json'), JSON.stringify({ typeCheckingMode: 'strict' }));
  const args = ['--pythonpath', python, '--project', folder];
  expect(await said(join(pyright, 'node_modules/.bin/pyright'), args, folder)).toContain('0 errors');
});
