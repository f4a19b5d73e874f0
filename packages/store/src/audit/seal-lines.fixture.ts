import { text } from 'node:stream/consumers';
import { openStore, readSealKey, sealLines } from '../index.ts';

/** A program that seals once with the key that stdin gives, for a test that kills it. */

const [connectionString = '', encryptionKey = ''] = process.argv.slice(2);
const key = readSealKey(await text(process.stdin));
const store = await openStore({ connectionString, encryptionKey });
await sealLines(store, { key });
await store.close();
