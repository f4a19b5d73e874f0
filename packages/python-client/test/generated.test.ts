import { execFileSync } from 'node:child_process';
import { PROBLEMS } from '@insurance-verification/schema';
import { OPERATIONS } from '@insurance-verification/schema/contract';
import { expect, test } from 'vitest';
import { generatedFiles } from '../scripts/generated-files.ts';
import { snakeCase } from '../scripts/python-text.ts';

const files = generatedFiles();
const textOf = (name: string) => files[`src/insurance_verification/${name}`] ?? '';

test('each operation of a provider has a method, sync and async', () => {
  const ofProvider = Object.values(OPERATIONS).filter(({ audience }) =>
    audience.some((reader) => reader === 'provider'),
  );
  const [sync = '', async = ''] = textOf('_operations.py').split('\nclass Operations:');
  expect(ofProvider.length).toBeGreaterThan(20);
  for (const { name } of ofProvider) {
    expect(sync).toContain(`                "${name}",\n`);
    expect(async).toContain(`                "${name}",\n`);
    expect(sync).toContain(`    def ${snakeCase(name.split('.')[1] ?? '')}(\n`);
    expect(async).toContain(`    async def ${snakeCase(name.split('.')[1] ?? '')}(\n`);
  }
});

test('each problem that a provider’s operation can answer has an error, with its sentence', () => {
  const codes = [...textOf('errors.py').matchAll(/^ {4}"(\w+)": \w+Error,$/gm)].map(([, code = '']) => code);
  const documented = Object.values(OPERATIONS).flatMap(({ audience, ...one }) =>
    audience.some((reader) => reader === 'provider') && 'problems' in one ? one.problems : [],
  );
  const ofEvery = ['unauthorized', 'forbidden', 'rate_limited', 'internal', 'unavailable'];
  expect(codes).toEqual(expect.arrayContaining([...documented, ...ofEvery]));
  for (const code of codes)
    expect(textOf('errors.py')).toContain(JSON.stringify(PROBLEMS[code as keyof typeof PROBLEMS].sentence));
});

test('a model is written after those it refers to, and takes what a newer service adds', () => {
  const models = textOf('models.py');
  expect(models.indexOf('class PatientInfo(')).toBeLessThan(models.indexOf('class RequestInfo('));
  expect(models).toContain('Payer: TypeAlias = str\n');
  expect(models).toMatch(/^RequestState: TypeAlias = Literal\["pending", .*\] \| str$/m);
});

test('nothing generated is committed', () => {
  const root = new URL('..', import.meta.url);
  const committed = execFileSync('git', ['ls-files', '--', ...Object.keys(files)], {
    cwd: root,
    encoding: 'utf8',
  });
  expect(committed).toBe('');
});
