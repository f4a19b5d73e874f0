import { problemOf } from '@insurance-verification/schema';
import { aRequest } from '@insurance-verification/testing/a-request';
import { aConnection } from '@insurance-verification/testing/wire/a-connection';
import { head } from '@insurance-verification/testing/wire/head';
import { expect, test } from 'vitest';
import { aKey } from '../a-key.ts';
import { aService } from '../a-service.ts';

const MB = 1024 * 1024;

/** As many large bodies of one account as have room beside any others'. More would wait, and a busy machine takes long. */
const eight = Array.from({ length: 8 });

const lines = ['content-type: application/json', `Content-Length: ${MB}`];

// Without it a few hundred unfinished bodies at once would end the process or lock everyone out.
test('unfinished bodies of strangers fill only their part; what is beyond waits, then is 503', async () => {
  const service = await aService();
  const key = await aKey(service);
  const unfinished = Array.from({ length: 5 }, () => aConnection(service.url));
  for (const connection of unfinished) {
    connection.write(head('POST /verification-output', lines));
    connection.write('{');
  }
  const body = { ...aRequest(), filler: 'x'.repeat(900_000) };
  const large = await Promise.all(eight.map(() => service.ask('POST', '/requests/', { key, body })));
  expect(large.map(({ status }) => status)).toEqual(eight.map(() => 200));
  const refused = await unfinished[4]?.answer();
  expect(refused).toMatchObject({
    status: 503,
    headers: { 'retry-after': '2', connection: 'close' },
    json: { type: problemOf('unavailable').type },
  });
  // A client that disconnects frees its share.
  unfinished[0]?.cut();
  const later = await service.ask('POST', '/verification-output', {
    key: null,
    body: { filler: 'x'.repeat(900_000) },
  });
  expect(later.status).toBe(422);
});

// Without it a body without a declared length would count as nothing.
test('bodies in chunks take room as they come', async () => {
  const service = await aService();
  const chunk = `${(256 * 1024).toString(16)}\r\n${' '.repeat(256 * 1024)}\r\n`;
  const unfinished = Array.from({ length: 6 }, () => aConnection(service.url));
  for (const connection of unfinished) {
    connection.write(
      head('POST /verification-output', ['content-type: application/json', 'Transfer-Encoding: chunked']),
    );
    for (let count = 0; count < 3; count += 1) connection.write(chunk);
  }
  const first = await Promise.race(unfinished.map((connection) => connection.answer()));
  expect(first).toMatchObject({ status: 503, headers: { 'retry-after': '2' } });
});

// Without it one tenant's slow uploads would block every other tenant's requests.
test('unfinished bodies of one account leave half of the room to the others', async () => {
  const service = await aService();
  const [slow, other] = [await aKey(service), await aKey(service)];
  const unfinished = Array.from({ length: 20 }, () => aConnection(service.url));
  for (const connection of unfinished) {
    connection.write(head('POST /requests/', [`x-key: ${slow}`, ...lines]));
    connection.write('{');
  }
  const body = { ...aRequest(), filler: 'x'.repeat(900_000) };
  const answers = await Promise.all(eight.map(() => service.ask('POST', '/requests/', { key: other, body })));
  expect(answers.map(({ status }) => status)).toEqual(eight.map(() => 200));
  const refused = await Promise.race(unfinished.map((connection) => connection.answer()));
  expect(refused.status).toBe(503);
  // A client that disconnects frees its share.
  for (const connection of unfinished) connection.cut();
  expect((await service.ask('POST', '/requests/', { key: slow, body })).status).toBe(200);
});
