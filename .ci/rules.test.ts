import { execFileSync } from 'node:child_process';
import { cpSync, globSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { root, useCopy } from './a-copy.ts';

// A file that breaks it proves each rule: this shows that the check can fail.
const { inCopy, runWith } = useCopy();

describe('package direction', () => {
  const check = (file: string, imported: string) =>
    runWith(file, `import '${imported}';\n`, 'turbo', ['boundaries']);

  test('lets the packages as they are pass', () => {
    expect(check('packages/store/src/right.ts', '@insurance-verification/schema')).toMatchObject({
      status: 0,
    });
  });

  test.each([
    ['packages/schema', '@insurance-verification/store'],
    ['packages/schema', '@insurance-verification/webhook'],
    ['packages/webhook', '@insurance-verification/schema'],
    ['packages/schema', '@insurance-verification/testing'],
    ['packages/testing', '@insurance-verification/store'],
    ['packages/x12', '@insurance-verification/store'],
    ['packages/x12', '@insurance-verification/api'],
    ['packages/store', '@insurance-verification/webhook'],
    ['packages/embedded-postgres', '@insurance-verification/store'],
    ['packages/client', '@insurance-verification/store'],
    ['packages/client', '@insurance-verification/api'],
    ['apps/cli', '@insurance-verification/api'],
    ['apps/mcp', '@insurance-verification/api'],
    ['apps/console', '@insurance-verification/api'],
  ])('%s may not import %s', (folder, imported) => {
    const { status, output } = check(`${folder}/src/wrong.ts`, imported);
    expect(output).toContain(imported);
    expect(status).toBe(1);
  });

  test('a package may not reach into the files of another', () => {
    const { status } = check('packages/store/src/wrong.ts', '../../schema/src/index.ts');
    expect(status).toBe(1);
  });

  test('a dependency that the rules do not allow is refused in package.json too', () => {
    const path = inCopy('packages/webhook/package.json');
    const manifest = execFileSync('cat', [path], { encoding: 'utf8' });
    writeFileSync(
      path,
      manifest.replace(
        '"dependencies": {',
        '"dependencies": { "@insurance-verification/store": "workspace:*",',
      ),
    );
    const { status, output } = check('packages/store/src/right.ts', '@insurance-verification/schema');
    writeFileSync(path, manifest);
    expect(output).toContain('without any tag listed in');
    expect(status).toBe(1);
  });
});

// Breaks if a program needs at its start what only a development install has.
describe('what tests build from', () => {
  const shipped = (file: string) =>
    /\/src\//.test(file) && !/\.(test|test-d|fixture)\.ts$|\/testing\//.test(file);
  const isToolOfTests = (text: string) =>
    /from '(@insurance-verification\/testing\/|vitest|fast-check)/.test(text);

  test('is imported by nothing that ships', () => {
    const files = globSync('{apps,packages}/*/src/**/*.ts', { cwd: root }).filter(shipped);
    expect(files.length).toBeGreaterThan(500);
    expect(files.filter((file) => isToolOfTests(readFileSync(join(root, file), 'utf8')))).toEqual([]);
  });

  test('is found out where it is', () => {
    expect(isToolOfTests(`import { until } from '@insurance-verification/testing/until';`)).toBe(true);
    expect(shipped('packages/store/src/open-store.ts')).toBe(true);
    expect(shipped('packages/store/src/open-store.test.ts')).toBe(false);
  });
});

describe('stage direction', () => {
  // As JSON: oxlint's words for people take another form, and colours, where CI or FORCE_COLOR is set.
  const check = (file: string, text: string) =>
    runWith(file, text, 'oxlint', ['--format=json', '--disable-nested-config', file]);

  test.each([
    'access',
    'audit',
    'staff',
    'retention',
    'reports',
    'intake',
    'output',
    'delivery',
    'verification',
  ])('%s may not know a transport', (stage) => {
    const imported = [
      'koa',
      '@koa/router',
      '../http/server.ts',
      '../http/rest.ts',
      '../console/session/sign-in-by-link.ts',
      '../process/start-roles.ts',
    ];
    const lines = imported.map(
      (name, index) => `import * as wrong${index} from '${name}';\nwrong${index};\n`,
    );
    const { status, output } = check(`apps/api/src/${stage}/wrong.ts`, lines.join(''));
    const { diagnostics } = JSON.parse(output) as { diagnostics: { message: string; help?: string }[] };
    const refused = diagnostics.filter(({ help = '' }) =>
      help.startsWith('A stage imports nothing of http/, console/ or process/'),
    );
    expect(
      refused.map(({ message }) => /^'(\S+)' import is restricted/.exec(message)?.[1]).toSorted(),
    ).toEqual(imported.toSorted());
    expect(status).toBe(1);
  });

  test('the api ships nothing of the client, which is made for others', () => {
    const { output, status } = check('apps/api/src/wrong.ts', `import '@insurance-verification/client';\n`);
    expect(output).toContain('The client is made for others');
    expect(status).toBe(1);
  });

  test('files may not import each other in a circle', () => {
    writeFileSync(
      inCopy('packages/store/src/other.ts'),
      `import { wrong } from './wrong.ts';\nexport const other = () => wrong;\n`,
    );
    const { output, status } = check(
      'packages/store/src/wrong.ts',
      `import { other } from './other.ts';\nexport const wrong = () => other;\n`,
    );
    rmSync(inCopy('packages/store/src/other.ts'));
    expect(output).toContain('no-cycle');
    expect(status).toBe(1);
  });
});

describe('one dialect', () => {
  const lint = (text: string, file = 'packages/store/src/wrong.ts') => runWith(file, text, 'oxlint', [file]);

  test.each([
    ['an object type', 'consistent-type-definitions', 'export type Wrong = { readonly id: string };\n'],
    ['a caught error', 'catch-error-name', 'try {\n  wrong();\n} catch (error) {\n  wrong(error);\n}\n'],
    ['a number', 'constant-case', 'export const waitMs = 60 * 1_000;\n'],
    ['a text', 'constant-case', 'const prefix = `wrong-`;\nexport const made = () => prefix;\n'],
    ['a pattern', 'constant-case', 'export const wrongForm = /^x/ as RegExp;\n'],
  ])('%s has one name: %s', (_, rule, text) => {
    const { output, status } = lint(text);
    expect(output).toContain(rule);
    expect(status).toBe(1);
  });

  test('what is computed, and what is local, is free in its case', () => {
    const text = `const made = new Date(0);\nexport const right = () => {\n  const local = 1;\n  return [made, local];\n};\n`;
    expect(lint(text).output).not.toContain('constant-case');
  });

  test('has no test by another name', () => {
    const text = `import { expect, it } from 'vitest';\n\nit('is so', () => expect(1).toBe(1));\n`;
    const { output, status } = lint(text, 'packages/store/src/wrong.test.ts');
    expect(output).toContain('consistent-test-it');
    expect(status).toBe(1);
  });

  test('has one order of imports', () => {
    cpSync(join(root, '.oxfmtrc.json'), inCopy('.oxfmtrc.json'));
    const format = (...imports: string[]) => {
      const file = 'packages/store/src/wrong.ts';
      return runWith(file, `${imports.join('\n')}\n`, 'oxfmt', ['--check', file]).status;
    };
    const builtin = `import { join } from 'node:path';`;
    const [library, own] = [`import pg from 'pg';`, `import { own } from './own.ts';`];
    expect(format(builtin, library, own)).toBe(0);
    expect(format(library, builtin, own)).toBe(1);
    expect(format(own, library, builtin)).toBe(1);
  });
});

describe('what else the checks refuse', () => {
  test('a source file of more than 400 lines, and no test', () => {
    const lint = (lineCount: number, file = 'packages/store/src/wrong.ts') =>
      runWith(file, 'export {};\n'.repeat(lineCount), 'oxlint', [file]);
    expect(lint(400).output).not.toContain('max-lines');
    expect(lint(401, 'packages/store/src/wrong.test.ts').output).not.toContain('max-lines');
    expect(lint(401)).toMatchObject({ status: 1, output: expect.stringContaining('max-lines') });
  });

  test('a promise that nobody waits for', () => {
    const installed = inCopy('packages/store/node_modules');
    symlinkSync(join(root, 'packages/store/node_modules'), installed); // the rule needs the types
    const { output, status } = runWith(
      'packages/store/src/wrong.ts',
      `export const wrong = async (): Promise<void> => {};\nwrong();\n`,
      'oxlint',
      ['packages/store/src/wrong.ts'],
    );
    rmSync(installed);
    expect(output).toContain('no-floating-promises');
    expect(status).toBe(1);
  });

  test('a file that is not formatted', () => {
    cpSync(join(root, '.oxfmtrc.json'), inCopy('.oxfmtrc.json'));
    const { status } = runWith('packages/store/src/wrong.ts', `export   const wrong = "x"\n`, 'oxfmt', [
      '--check',
      'packages/store/src/wrong.ts',
    ]);
    expect(status).toBe(1);
  });
});

// Breaks if a raised runtime makes every install warn about packages that require more than the old one.
test('installs for the runtime that is pinned', () => {
  const settings = readFileSync(join(root, 'pnpm-workspace.yaml'), 'utf8');
  const given = settings.match(/^nodeVersion: (\S+)$/m)?.[1];
  const pinned = [...settings.matchAll(/^ {2}(node-(?:bin-)?(?:linux|darwin)-\w+): (\S+)/gm)];
  expect(pinned.filter(([, name]) => name?.includes('linux')).map(([, , version]) => version)).toEqual([
    given,
    given,
  ]);
  // npm has fewer versions for macOS: there an older one of the same major version.
  for (const [, , version] of pinned) expect(version?.split('.')[0]).toBe(given?.split('.')[0]);
});
