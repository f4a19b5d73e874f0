import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { expect, test } from 'vitest';
import { clientOf } from './client-address.ts';

/** A request whose socket is connected to the address; a real one comes from loopback alone. */
function from(remoteAddress: string | undefined): IncomingMessage {
  const socket = new Socket();
  Object.defineProperty(socket, 'remoteAddress', { value: remoteAddress });
  return new IncomingMessage(socket);
}

// Without it whoever has a network of 2^64 addresses would be as many clients, or one person two.
test.each([
  ['192.0.2.7', '192.0.2.7'],
  ['::ffff:192.0.2.7', '192.0.2.7'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::'],
  ['2001:db8:1:2:ffff:ffff:ffff:ffff', '2001:db8:1:2::'],
  ['2001:db8::1', '2001:db8::'],
  ['fe80::1%eth0', 'fe80::'],
  ['::1', '::'],
  [undefined, ''],
])('%s is the client %s', (address, client) => {
  expect(clientOf(from(address))).toBe(client);
});
