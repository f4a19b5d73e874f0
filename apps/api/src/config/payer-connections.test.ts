import { expect, test } from 'vitest';
import { type ConnectionOptions, readConnections } from './payer-connections.ts';

const x12 = { url: 'https://clearinghouse.example/270', sender_id: 'clinic 7', receiver_id: 'CH' };

function options(change: Partial<ConnectionOptions> = {}): ConnectionOptions {
  return {
    payers: [
      { id: 'north', name: 'North', x12PayerId: '60054', x12 },
      { id: 'east', name: 'East', x12PayerId: null, x12: null },
    ],
    credentials: undefined,
    credentialsSource: 'X12_CREDENTIALS',
    production: true,
    ...change,
  };
}

test('gives the payers that have a connection, with what the file leaves out filled in', () => {
  expect(readConnections(options())).toEqual([
    {
      payerId: 'north',
      payerName: 'North',
      x12PayerId: '60054',
      url: 'https://clearinghouse.example/270',
      envelope: 'raw',
      sender: { qualifier: 'ZZ', id: 'clinic 7' },
      receiver: { qualifier: 'ZZ', id: 'CH' },
      traceOrigin: '9CLINIC700',
      timeZone: 'America/New_York',
      usage: 'P',
      inFlightCountMax: 20,
      credentials: {},
    },
  ]);
});

test('gives a payer the credentials of its id', () => {
  const credentials = JSON.stringify({ north: { headers: { authorization: 'Bearer x' } } });
  expect(readConnections(options({ credentials }))[0]?.credentials).toEqual({
    headers: { authorization: 'Bearer x' },
  });
});

// Without it a service would start that every payer refuses, or that sends patients' data in the clear.
test.each([
  [{ credentials: '{"south":{}}' }, /^X12_CREDENTIALS: no payer .* "south"/],
  [{ credentials: 'hunter2' }, /^X12_CREDENTIALS: not JSON\.$/],
  [{ credentials: '{"north":{"token":"hunter2"}}' }, /^X12_CREDENTIALS: at "north"/],
  [{ credentials: '{"north":{"password":"hunter2"}}' }, /username and password go together/],
  [
    { credentials: 'hunter2', credentialsSource: 'X12_CREDENTIALS_FILE' },
    /^X12_CREDENTIALS_FILE: not JSON\.$/,
  ],
  [
    {
      payers: [
        { id: 'a', name: 'A', x12PayerId: null, x12: { ...x12, url: 'http://clearinghouse.example' } },
      ],
    },
    /must be https in production/,
  ],
])('refuses %j and repeats no secret', (change, message) => {
  const reading = () => readConnections(options(change));
  expect(reading).toThrow(TypeError);
  expect(reading).toThrow(message);
  expect(reading).not.toThrow(/hunter2/);
});
