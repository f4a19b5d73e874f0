import { isBuiltin } from 'node:module';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';
import { expect, test } from 'vitest';

const entry = fileURLToPath(new URL('../src/index.ts', import.meta.url));

/** Bundles for a browser; gives the modules that went in and the imports that are left. */
async function bundle(input: string) {
  const warnings: string[] = [];
  const build = await rolldown({
    input,
    platform: 'browser',
    treeshake: false,
    resolve: { conditionNames: ['@insurance-verification/source', 'browser', 'import', 'default'] },
    onLog: (_level, log) => void warnings.push(log.message),
  });
  const { output } = await build.generate({ format: 'es' });
  await build.close();
  const chunks = output.filter((file) => file.type === 'chunk');
  const ours = new Set(chunks.map(({ fileName }) => fileName));
  return {
    warnings,
    imports: chunks
      .flatMap((chunk) => [...chunk.imports, ...chunk.dynamicImports])
      .filter((id) => !ours.has(id)),
    modules: chunks.flatMap(({ moduleIds }) => moduleIds),
    code: chunks.map((chunk) => chunk.code).join('\n'),
    first: output[0],
  };
}

const packagesOf = (modules: readonly string[]) =>
  [
    ...new Set(
      modules.map((id) => /node_modules\/((?:@[^/]+\/)?[^/]+)\/(?!.*node_modules)/.exec(id)?.[1] ?? 'ours'),
    ),
  ].toSorted();

test('a browser gets the whole client without a module of Node’s, undici or the address guard', async () => {
  const { warnings, imports, modules, code, first } = await bundle(entry);
  expect(warnings).toEqual([]);
  expect(imports).toEqual([]);
  expect(packagesOf(modules)).toEqual(['@trpc/client', '@trpc/server', 'ours', 'zod']);
  expect(packagesOf(first.moduleIds)).toEqual(['ours', 'zod']); // the rest when its client is first used
  expect(modules.filter((id) => /webhook\/src\/(?!verify\.ts|verification-keys\.ts)/.test(id))).toEqual([]);
  expect(
    [...code.matchAll(/(?:from|import|require\()\s*["']([^"']+)["']/g)].filter(([, id = '']) =>
      isBuiltin(id),
    ),
  ).toEqual([]);
});

test('the check sees a module of Node’s: the webhook package’s entry for Node has them', async () => {
  const sending = fileURLToPath(new URL('../../webhook/src/index.ts', import.meta.url));
  const { imports } = await bundle(sending);
  expect(imports.some((id) => isBuiltin(id))).toBe(true);
});
