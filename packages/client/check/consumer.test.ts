import { existsSync, readFileSync } from 'node:fs';
import { cp, mkdir, mkdtemp, readdir, realpath, rm, writeFile } from 'node:fs/promises';
import { isBuiltin } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { installedAt, packPublished, PUBLISHED, type Published, run, runPnpm } from './pack.ts';

/** Builds, packs, installs and compiles: seconds here, minutes on a busy machine. */
const PATIENCE_MS = 600_000;

let folder: string;
let tarballs: Record<Published, string>;

/** A folder outside the workspace with the tarballs installed, as another team has them. */
beforeAll(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), 'ivs-consumer-')));
  tarballs = await packPublished(folder);
  await cp(fileURLToPath(new URL('consumer', import.meta.url)), folder, { recursive: true });
  const ours = Object.fromEntries(
    PUBLISHED.map((name) => [`@insurance-verification/${name}`, `file:${tarballs[name]}`]),
  );
  const peers = {
    zod: `file:${await installedAt('client', 'zod')}`,
    '@trpc/client': `file:${await installedAt('client', '@trpc/client')}`,
    '@trpc/server': `file:${await installedAt('client', '@trpc/server')}`,
  };
  const theirs = {
    ...peers,
    undici: `file:${await installedAt('webhook', 'undici')}`,
    'ipaddr.js': `file:${await installedAt('webhook', 'ipaddr.js')}`,
  };
  const manifest = { name: 'consumer', private: true, type: 'module', dependencies: { ...ours, ...peers } };
  await writeFile(join(folder, 'package.json'), JSON.stringify(manifest));
  // YAML takes JSON. The overrides stand for a registry: no network is needed.
  const settings = {
    overrides: {
      ...ours,
      ...theirs,
    },
    autoInstallPeers: false,
    verifyDepsBeforeRun: false,
    // On the oldest Node that the packages name, where a dependency that wants more is an error and not a warning.
    nodeVersion: '20.19.0',
    engineStrict: true,
  };
  await writeFile(join(folder, 'pnpm-workspace.yaml'), JSON.stringify(settings));
  await runPnpm(folder, ['install', '--offline', '--ignore-scripts', '--no-frozen-lockfile']);
}, PATIENCE_MS);

afterAll(() => rm(folder, { recursive: true, force: true }));

test(
  'TypeScript compiles against the packages, their declarations checked',
  { timeout: PATIENCE_MS },
  async () => {
    expect(await run(folder, 'tsc', ['-p', 'tsconfig.json', '--pretty', 'false'])).toBe('');
  },
);

test('what was compiled runs', { timeout: PATIENCE_MS }, async () => {
  expect(await run(folder, process.execPath, ['uses-types.ts'])).toBe('');
});

test('plain JavaScript runs', { timeout: PATIENCE_MS }, async () => {
  expect(await run(folder, process.execPath, ['uses-javascript.js'])).toBe('');
});

test('CommonJS runs', { timeout: PATIENCE_MS }, async () => {
  expect(await run(folder, process.execPath, ['uses-commonjs.cjs'])).toBe('');
});

// undici wants Node 22.19, and only sending needs it: without it here, all the rest is proven to go without.
test('what wants a later Node is left out, without a word', () => {
  expect(existsSync(join(folder, 'node_modules/.pnpm/node_modules/undici'))).toBe(false);
});

test('x12, which the client does not know, runs', { timeout: PATIENCE_MS }, async () => {
  const program = `import { readPayerAnswer } from '@insurance-verification/x12';
if (readPayerAnswer('<html>').faults[0].code !== 'interchange_missing') throw new Error();`;
  await writeFile(join(folder, 'uses-x12.js'), program);
  expect(await run(folder, process.execPath, ['uses-x12.js'])).toBe('');
});

// Whoever keeps a copy of the tarball alone must still be told what they may do with it.
// Nor can they see what a new version means for them.
test.each(PUBLISHED)('the licence and the changes are in the tarball of %s', (name) => {
  const root = join(folder, 'node_modules/@insurance-verification', name);
  expect(existsSync(join(root, 'LICENSE'))).toBe(true);
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };
  expect(readFileSync(join(root, 'CHANGELOG.md'), 'utf8')).toContain(`\n## ${version}\n`);
});

test.each(PUBLISHED)('publint and attw find nothing in %s', { timeout: PATIENCE_MS }, async (name) => {
  expect(await run(folder, 'publint', ['run', tarballs[name], '--strict'])).toContain('All good!');
  expect(await run(folder, 'attw', [tarballs[name], '--profile', 'esm-only'])).toContain('node16 (from ESM)');
});

test(
  'publint and attw see what is wrong: a file and a declaration that are not there',
  { timeout: PATIENCE_MS },
  async () => {
    const wrong = join(folder, 'wrong');
    await mkdir(wrong);
    const exports = { '.': { types: './index.d.ts', default: './index.js' }, './more': './gone.js' };
    const manifest = { name: 'wrong', version: '1.0.0', type: 'module', exports };
    await writeFile(join(wrong, 'package.json'), JSON.stringify(manifest));
    await writeFile(join(wrong, 'index.js'), 'export const x = 1;\n');
    await writeFile(join(wrong, 'index.d.ts'), "export * from './x';\n");
    const tarball = join(wrong, 'wrong.tgz');
    await runPnpm(wrong, ['pack', '--out', tarball]);
    await expect(run(folder, 'publint', ['run', tarball, '--strict'])).rejects.toThrow(/gone\.js/);
    await expect(run(folder, 'attw', [tarball, '--profile', 'esm-only'])).rejects.toThrow(
      /Internal resolution error/i,
    );
  },
);

test.each(PUBLISHED)('%s brings nothing of the workspace along', async (name) => {
  const root = join(folder, 'node_modules/@insurance-verification', name);
  const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const { dependencies = {}, optionalDependencies = {}, peerDependencies = {}, exports } = manifest;
  expect(JSON.stringify([dependencies, optionalDependencies, peerDependencies])).not.toMatch(
    /workspace:|catalog:|link:|file:/,
  );
  expect(JSON.stringify(exports)).not.toMatch(/src\/|@insurance-verification\/source/);

  const mayImport = Object.keys({ ...dependencies, ...optionalDependencies, ...peerDependencies });
  const files = (await readdir(root, { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile() && !join(entry.parentPath, entry.name).includes('node_modules/.bin'))
    .map((entry) => join(entry.parentPath, entry.name));
  expect(files.filter((file) => /\.test(-d)?\.|\.tsbuildinfo$|tsconfig|vitest/.test(file))).toEqual([]);
  for (const file of files) {
    const text = readFileSync(file, 'utf8');
    expect(text, file).not.toContain(process.cwd());
    // Where an editor goes for a definition must be in the package.
    if (file.endsWith('.map')) {
      for (const source of JSON.parse(text).sources)
        expect(existsSync(join(dirname(file), source)), `${file}: ${source}`).toBe(true);
    }
    if (!/\/dist\/.*\.(js|d\.ts)$/.test(file)) continue;
    for (const [, id = ''] of text.matchAll(/(?:\bfrom\s+|\bimport\s*\(?\s*)["']([^"'\n]+)["']/g)) {
      if (id.startsWith('.'))
        expect(existsSync(join(dirname(file), id.replace(/\.ts$/, '.d.ts'))), `${file}: ${id}`).toBe(true);
      else
        expect(
          isBuiltin(id) ||
            mayImport.some((dependency) => id === dependency || id.startsWith(`${dependency}/`)),
          `${file}: ${id}`,
        ).toBe(true);
    }
  }
});
