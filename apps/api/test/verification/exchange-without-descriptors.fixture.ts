import { closeSync, openSync } from 'node:fs';
import { devNull } from 'node:os';
import { createExchange } from '../../src/verification/api-channel/create-exchange.ts';
import { aPayerConnection } from './a-connection.ts';

/** Prints what becomes of an inquiry in a process that has no descriptor left. */
const exchange = createExchange();
const taken: number[] = [];
try {
  for (;;) taken.push(openSync(devNull, 'r'));
} catch (err) {
  if ((err as NodeJS.ErrnoException).code !== 'EMFILE') throw err;
}
const found: string[] = [];
for (const url of ['http://127.0.0.1:9/270', 'http://payer.invalid/270'])
  found.push(
    await exchange(aPayerConnection(url), 'ISA', new AbortController().signal).then(
      (exchanged) => exchanged.kind,
      (err: NodeJS.ErrnoException) => err.code ?? err.name,
    ),
  );
for (const fd of taken) closeSync(fd);
process.stdout.write(`${found.join(' ')}\n`);
await exchange.close();
