import { fileURLToPath } from 'node:url';
import { OPERATIONS } from '@insurance-verification/schema/contract';
import { rolldown } from 'rolldown';
import { expect, test } from 'vitest';

/** Where the source would be: from here its imports are found. */
const consumer = fileURLToPath(new URL('consumer.js', import.meta.url));

/** Bundles this source as a consumer's bundler does, which leaves out what is not used. */
async function bundle(source: string): Promise<string> {
  const build = await rolldown({
    input: consumer,
    external: ['zod'],
    resolve: { conditionNames: ['@insurance-verification/source', 'import', 'default'] },
    plugins: [
      {
        name: 'consumer',
        resolveId: (id) => (id === consumer ? id : null),
        load: (id) => (id === consumer ? source : null),
      },
    ],
  });
  const { output } = await build.generate({ format: 'es' });
  await build.close();
  return output.map((file) => (file.type === 'chunk' ? file.code : '')).join('\n');
}

const textsIn = (code: string) =>
  Object.values(OPERATIONS).filter(({ summary }) => code.includes(summary)).length;

// A console or a receiver that imports a model would load 60 KB of the document's texts.
test('a bundle of models, or of the REST client, has no text of an operation', async () => {
  const models = await bundle(
    "export { FailWork, RequestModel, ResponseModel, WorkDay } from '@insurance-verification/schema';",
  );
  expect(models).toContain('WorkDay');
  expect(textsIn(models)).toBe(0);
  const client = await bundle("export { createRestClient } from '@insurance-verification/client';");
  expect(client).toContain('/work/claim');
  expect(textsIn(client)).toBe(0);
});

test('the check sees the texts: a bundle of the contract has them', async () => {
  const contract = await bundle("export { createContract } from '@insurance-verification/schema/contract';");
  expect(textsIn(contract)).toBe(Object.keys(OPERATIONS).length);
});
