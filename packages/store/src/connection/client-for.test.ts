import { once } from 'node:events';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { clientFor } from './client-for.ts';

/** A message of PostgreSQL's protocol 3, each of whose fields ends in a zero. */
function message(type: string, ...fields: readonly string[]): Buffer {
  const body = Buffer.from(fields.map((field) => `${field}\0`).join(''));
  const head = Buffer.alloc(5);
  head.write(type);
  head.writeInt32BE(body.length + 4, 1);
  return Buffer.concat([head, body]);
}

/** Lets in whoever connects, and ends the session with the same bytes. */
async function aServerThatEndsSessions(): Promise<Server> {
  const letIn = Buffer.concat([message('R', '\0\0\0'), Buffer.from([0x5a, 0, 0, 0, 5, 0x49])]);
  const ended = message('E', 'SFATAL', 'C57P01', 'Mterminating connection due to administrator command', '');
  const server = createServer((client) => {
    client.once('data', () => client.end(Buffer.concat([letIn, ended])));
    client.on('error', () => undefined);
  });
  onTestFinished(() => void server.close());
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return server;
}

// Broke: the error came before anybody listened, and ended the process.
test('a session that the server ends at once fails to connect, and nothing else', async () => {
  const { port } = (await aServerThatEndsSessions()).address() as AddressInfo;
  const Client = clientFor(`postgres://anyone@127.0.0.1:${port}/any`);
  const client = new Client();
  await expect(client.connect()).rejects.toThrow('not queryable');
});
