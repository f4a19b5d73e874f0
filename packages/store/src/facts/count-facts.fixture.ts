import { openStore } from '../open-store.ts';
import { countFacts } from './count-facts.ts';

/** A program that counts facts in small batches, for a test that kills it. Writes a line for each batch. */

const [connectionString = '', encryptionKey = ''] = process.argv.slice(2);
const store = await openStore({ connectionString, encryptionKey });
for (;;) {
  const counted = await countFacts(store, { spanSeconds: 7_200, settledSeconds: 0 });
  if (counted.kind === 'busy') continue;
  process.stdout.write('counted\n');
  if (counted.caughtUp) break;
}
await store.close();
