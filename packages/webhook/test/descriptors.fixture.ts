import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { createServer } from 'node:http';
import { type AddressInfo } from 'node:net';
import { devNull } from 'node:os';
import { createWebhookSender } from '../src/index.ts';

/** Prints what a sender does in a process that has no descriptor left, and then has some again. */
const server = createServer((_req, res) => res.end()).listen(0, '127.0.0.1');
await once(server, 'listening');
const { port } = server.address() as AddressInfo;
const isOpened = process.argv.includes('opened');
const sender = createWebhookSender({ allowCidrs: ['127.0.0.0/8', '::1/128'], httpsOnly: false });
if (isOpened) await sender.open();

const outcomeOf = (host: string) =>
  sender.send({ url: `http://${host}:${port}/`, headers: {}, body: Buffer.from('{}') }).then(
    ({ outcome }) => outcome,
    (err: Error & { code?: string }) => `${err.name} ${err.code}`,
  );

const taken: number[] = [];
try {
  for (;;) taken.push(openSync(devNull, 'r'));
} catch (err) {
  if ((err as NodeJS.ErrnoException).code !== 'EMFILE') throw err;
}
const without: string[] = [];
for (const host of ['127.0.0.1', 'localhost', 'receiver.invalid']) without.push(await outcomeOf(host));
for (const fd of taken) closeSync(fd);
process.stdout.write(`${JSON.stringify({ without, after: await outcomeOf('127.0.0.1') })}\n`);
await sender.close();
server.close();
server.closeAllConnections();
