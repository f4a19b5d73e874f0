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
  const [chunk] = output;
  return { warnings, imports: chunk.imports, modules: chunk.moduleIds, code: chunk.code };
}

test('a browser gets the whole client without a module of Node’s, undici or the address guard', async () => {
  const { warnings, imports, modules, code } = await bundle(entry);
  expect(warnings).toEqual([]);
  expect(imports).toEqual([]);
  const packages = new Set(
    modules.map((id) => /node_modules\/((?:@[^/]+\/)?[^/]+)\/(?!.*node_modules)/.exec(id)?.[1] ?? 'ours'),
  );
  expect([...packages].toSorted()).toEqual(['@trpc/client', '@trpc/server', 'ours', 'zod']);
  expect(modules.filter((id) => /webhook\/src\/(?!signature\/)/.test(id))).toEqual([]);
  expect(
    [...code.matchAll(/(?:from|import|require\()\s*["']([^"']+)["']/g)].filter(([, id = '']) =>
      isBuiltin(id),
    ),
  ).toEqual([]);
});

test('the check sees a module of Node’s: the webhook package’s other door has them', async () => {
  const sending = fileURLToPath(new URL('../../webhook/src/index.ts', import.meta.url));
  const { imports } = await bundle(sending);
  expect(imports.some((id) => isBuiltin(id))).toBe(true);
});
