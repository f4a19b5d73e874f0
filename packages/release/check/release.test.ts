import { cpSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createTestDatabase } from '@insurance-verification/store/testing';
import { aFolder } from '@insurance-verification/testing/a-folder';
import { INSTALL_PATIENCE_MS, installOnce, run } from '@insurance-verification/testing/install-once';
import {
  type ServiceProcess,
  startServiceProcess,
} from '@insurance-verification/testing/start-service-process';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { aRegistry } from './a-registry.ts';
import { snippets } from './snippets.ts';

const root = join(import.meta.dirname, '../../..');
const PUBLISHED = ['schema', 'webhook', 'x12', 'client'] as const; // each after those it needs
const PEERS = ['zod@4.6.7', '@trpc/client@11.22.1', '@trpc/server@11.22.1', '@types/node@24.19.2'];
const COMPILERS = ['5.9.3', '7.0.2'];
const bin = (folder: string, name: string) => join(folder, 'node_modules/.bin', name);

let registry: Awaited<ReturnType<typeof aRegistry>>;
let service: ServiceProcess;
let tarballs: string;

beforeAll(async () => {
  tarballs = aFolder();
  const filters = PUBLISHED.flatMap((name) => ['--filter', `@insurance-verification/${name}`]);
  await run('pnpm', [...filters, '--recursive', 'pack', '--pack-destination', tarballs], { cwd: root });
  registry = await aRegistry();
  const { connectionString } = await createTestDatabase();
  service = await startServiceProcess({ databaseUrl: connectionString, roles: 'http' });
}, INSTALL_PATIENCE_MS);
afterAll(async () => {
  registry.stop();
  await service.stop();
});

const versionOf = (name: string, folder = root) =>
  (JSON.parse(readFileSync(join(folder, 'packages', name, 'package.json'), 'utf8')) as { version: string })
    .version;

describe('versions', () => {
  test('the four packages have one, and a changelog of it', () => {
    expect(new Set(PUBLISHED.map((name) => versionOf(name))).size).toBe(1);
    for (const name of PUBLISHED)
      expect(readFileSync(join(root, 'packages', name, 'CHANGELOG.md'), 'utf8')).toContain(
        `\n## ${versionOf(name)}\n`,
      );
  });

  test('a changeset of one raises all, and is in its changelog', async () => {
    const clone = join(aFolder(), 'clone');
    await run('git', ['clone', '--quiet', '--depth', '1', `file://${root}`, clone]);
    writeFileSync(
      join(clone, '.changeset', `${crypto.randomUUID()}.md`),
      "---\n'@insurance-verification/x12': minor\n---\n\nReads a 278.\n",
    );
    await run(bin(root, 'changeset'), ['version'], { cwd: clone });
    const [major = '', minor = ''] = versionOf('schema').split('.');
    const next = `${major}.${Number(minor) + 1}.0`;
    expect(PUBLISHED.map((name) => versionOf(name, clone))).toEqual(PUBLISHED.map(() => next));
    expect(readFileSync(join(clone, 'packages/x12/CHANGELOG.md'), 'utf8')).toMatch(
      /## 1\.1\.0[^]*Reads a 278\./,
    );
  });

  test('the bill of materials names what the packages bring', async () => {
    const sbom = JSON.parse(await run('pnpm', ['sbom', '--sbom-format', 'cyclonedx'], { cwd: root })) as {
      bomFormat: string;
      components: { name: string }[];
    };
    expect(sbom.bomFormat).toBe('CycloneDX');
    expect(sbom.components.map(({ name }) => name)).toEqual(expect.arrayContaining(['zod', 'ipaddr.js']));
  });
});

test('each tarball is published', { timeout: INSTALL_PATIENCE_MS }, async () => {
  const folder = aFolder();
  writeFileSync(join(folder, '.npmrc'), `${registry.url.replace('http:', '')}:_authToken=of-the-check\n`);
  for (const name of PUBLISHED) {
    const [tarball = ''] = globSync(`*-${name}-*.tgz`, { cwd: tarballs });
    await run('npm', ['publish', join(tarballs, tarball), '--registry', registry.url], { cwd: folder });
  }
  for (const name of PUBLISHED)
    expect(
      (
        await run('npm', ['view', `@insurance-verification/${name}`, 'version', '--registry', registry.url])
      ).trim(),
    ).toBe(versionOf(name));
});

describe.each(['npm', 'pnpm'])('installed by %s from the registry', (manager) => {
  let folder: string;
  let env: NodeJS.ProcessEnv;

  beforeAll(async () => {
    folder = aFolder();
    writeFileSync(
      join(folder, 'package.json'),
      JSON.stringify({ name: 'consumer', private: true, type: 'module' }),
    );
    writeFileSync(join(folder, '.npmrc'), `registry=${registry.url}\n`);
    const ours = PUBLISHED.map((name) => `@insurance-verification/${name}@${versionOf(name)}`);
    const compilers = COMPILERS.map(
      (version) => `typescript-${version.split('.')[0]}@npm:typescript@${version}`,
    );
    await run(manager, [...installArgs(manager, folder), ...ours, ...PEERS, ...compilers], { cwd: folder });
    cpSync(join(root, 'packages/client/check/consumer'), folder, { recursive: true });
    mkdirSync(join(folder, 'snippets'));
    for (const { name, text } of snippets(service.url))
      writeFileSync(join(folder, 'snippets', `${name}.ts`), text);
    env = { ...process.env, IV_URL: service.url, IV_API_KEY: service.apiKey };
  }, INSTALL_PATIENCE_MS);

  test.each(COMPILERS)(
    'TypeScript %s compiles against it, the declarations checked',
    { timeout: INSTALL_PATIENCE_MS },
    async (version) => {
      const compiler = join(folder, `node_modules/typescript-${version.split('.')[0]}/bin/tsc`);
      const config = JSON.parse(readFileSync(join(folder, 'tsconfig.json'), 'utf8')) as {
        compilerOptions: object;
        files: string[];
      };
      expect(config.compilerOptions).toMatchObject({ strict: true, skipLibCheck: false });
      writeFileSync(
        join(folder, 'tsconfig.snippets.json'),
        JSON.stringify({
          extends: './tsconfig.json',
          compilerOptions: { types: ['node'], exactOptionalPropertyTypes: false, allowUnreachableCode: true },
          files: [],
          include: ['snippets'],
        }),
      );
      for (const project of ['tsconfig.json', 'tsconfig.snippets.json'])
        expect(await said(process.execPath, [compiler, '-p', project, '--pretty', 'false'], folder)).toBe('');
    },
  );

  test.each(snippets('').map(({ name }) => name))(
    'the block of a README %s runs',
    { timeout: INSTALL_PATIENCE_MS },
    async (name) => {
      expect(await said(process.execPath, [join('snippets', `${name}.ts`)], folder, env)).not.toContain(
        'Error',
      );
    },
  );

  test.each(['20.20.2', '22.23.5', '24.21.0'])(
    'Node %s runs it',
    { timeout: INSTALL_PATIENCE_MS },
    async (version) => {
      const node = await installed(`node-${process.platform}-${process.arch}`, version);
      for (const program of ['uses-javascript.js', 'uses-commonjs.cjs'])
        expect(await said(join(node, 'bin/node'), [program], folder)).toBe('');
    },
  );

  // tRPC has TypeScript as a peer, which both install by themselves.
  test(
    'who installs only the client and Zod gets neither tRPC nor TypeScript, receives and calls',
    async () => {
      const receiver = aFolder();
      writeFileSync(
        join(receiver, 'package.json'),
        JSON.stringify({ name: 'receiver', private: true, type: 'module' }),
      );
      writeFileSync(join(receiver, '.npmrc'), `registry=${registry.url}\n`);
      cpSync(join(root, 'packages/client/check/receiver'), receiver, { recursive: true });
      const client = `@insurance-verification/client@${versionOf('client')}`;
      await run(manager, [...installArgs(manager, receiver), client, 'zod@4.6.7'], { cwd: receiver });
      expect(packagesIn(receiver)).toEqual([
        '@insurance-verification/client',
        '@insurance-verification/schema',
        '@insurance-verification/webhook',
        'ipaddr.js',
        'undici',
        'zod',
      ]);
      expect(await said(process.execPath, ['receives.js'], receiver)).toBe('');
      const compiler = join(folder, 'node_modules/typescript-7/bin/tsc');
      expect(
        await said(process.execPath, [compiler, '-p', 'tsconfig.json', '--pretty', 'false'], receiver),
      ).toBe('');
    },
    INSTALL_PATIENCE_MS,
  );

  test('Bun runs it', { timeout: INSTALL_PATIENCE_MS }, async () => {
    const bun = await installed(`@oven/bun-${process.platform}-${CPU}`, '1.4.5');
    expect(await said(join(bun, 'bin/bun'), ['uses-javascript.js'], folder)).toBe('');
  });

  test('Deno runs it', { timeout: INSTALL_PATIENCE_MS }, async () => {
    const libc = process.platform === 'linux' ? '-glibc' : '';
    const deno = await installed(`@deno/${process.platform}-${process.arch}${libc}`, '2.9.6');
    const args = ['run', '--allow-all', '--node-modules-dir=manual', 'uses-javascript.js'];
    expect(await said(join(deno, 'deno'), args, folder)).toBe('');
  });
});

/** What Bun calls this machine's processor. */
const CPU = process.arch === 'arm64' ? 'aarch64' : process.arch;

/** A program of the registry that npm has as a package of its own for each platform. @returns its folder. */
async function installed(name: string, version: string): Promise<string> {
  const folder = await installOnce(`${name}-${version}`, (empty) =>
    run('npm', ['install', '--prefix', empty, '--no-audit', '--no-fund', `${name}@${version}`]),
  );
  return join(folder, 'node_modules', name);
}

/** What a program wrote. @throws with it when the program fails. */
async function said(
  command: string,
  args: readonly string[],
  cwd: string,
  env = process.env,
): Promise<string> {
  const { NODE_OPTIONS: _options, NODE_ENV: _mode, ...others } = env;
  try {
    return await run(command, args, { cwd, env: others });
  } catch (err) {
    const { stdout, stderr } = err as { stdout?: string; stderr?: string };
    throw new Error(`${args.join(' ')} failed:\n${stdout ?? ''}${stderr ?? ''}`, { cause: err });
  }
}

/** The arguments that install packages into a folder, with nothing that another folder has. */
function installArgs(manager: string, folder: string): string[] {
  return manager === 'npm'
    ? ['install', '--no-audit', '--no-fund', '--cache', join(folder, 'cache')]
    : ['add', '--config.minimumReleaseAge=0', '--config.store-dir', join(folder, 'store')];
}

/** The names of the packages that are installed in a folder. */
function packagesIn(folder: string): string[] {
  const paths = globSync(['node_modules/**/package.json', 'node_modules/.pnpm/**/package.json'], {
    cwd: folder,
  });
  const manifest = /(?:^|\/)node_modules\/((?:@[^/]+\/)?[^/]+)\/package\.json$/;
  return [...new Set(paths.flatMap((path) => manifest.exec(path)?.slice(1) ?? []))].toSorted();
}
