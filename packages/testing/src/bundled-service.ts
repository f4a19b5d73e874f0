import { existsSync } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { rolldown } from 'rolldown';

/** Of the folder of sources, without their endings. */
const PROGRAM = 'main';
const PARTS = ['process/start-service', 'config/config', 'telemetry/log'];

const source = (path: string) => fileURLToPath(new URL(`../../../apps/api/src/${path}`, import.meta.url));

/** Packages imported from where they are installed: all but Zod and Kysely, of whose files a start loads 350. */
const OUTSIDE = /\/node_modules\/(?!.*\/(zod|kysely)\/)/;

/**
 * The service in ten files, made by the first test of a run that starts it. From its 1,500 sources a start takes 1.9 s of
 * CPU, from these 1.05. Nothing is shaken out, and a module's own address stays that of its source.
 * @param folder of the run
 * @returns the folder of its `main.js`, and of the modules of `start-service-here.ts`
 */
export async function bundledService(folder: string): Promise<string> {
  const service = `${folder}/service`;
  await (bundling ??= bundle(service).catch((err: unknown) => {
    bundling = undefined; // the next test tries again
    throw err;
  }));
  return service;
}

/** Of this process, which may start several at once. */
let bundling: Promise<void> | undefined;

async function bundle(service: string): Promise<void> {
  if (existsSync(service)) return; // another process was first
  const build = await rolldown({
    input: [source(`${PROGRAM}.js`), ...PARTS.map((part) => source(`${part}.ts`))],
    platform: 'node',
    treeshake: false,
    resolve: { conditionNames: ['@insurance-verification/source', 'node'] },
    external: (id, _importer, isResolved) => isResolved && OUTSIDE.test(id),
    plugins: [
      {
        name: 'address-of-the-source',
        transform: {
          filter: { code: 'import.meta.url' },
          handler: (code, id) => code.replaceAll('import.meta.url', JSON.stringify(pathToFileURL(id).href)),
        },
      },
    ],
  });
  const beside = `${service}-${process.pid}`;
  await build.write({ dir: beside, format: 'es', keepNames: true });
  await build.close();
  try {
    await rename(beside, service); // whole, since two processes may bundle at once
  } catch (err) {
    if (!existsSync(service)) throw err;
    await rm(beside, { recursive: true }); // another was first
  }
}
