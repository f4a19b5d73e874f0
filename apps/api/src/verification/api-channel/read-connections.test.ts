import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { type ConnectionOptions, readConnections } from './read-connections.ts';

const x12 = { url: 'https://clearinghouse.example/270', sender_id: 'clinic 7', receiver_id: 'CH' };

function options(change: Partial<ConnectionOptions> = {}): ConnectionOptions {
  return {
    payers: [
      { id: 'north', name: 'North', x12PayerId: '60054', x12 },
      { id: 'east', name: 'East', x12PayerId: null, x12: null },
    ],
    credentials: undefined,
    credentialsFile: undefined,
    production: true,
    ...change,
  };
}

it('gives the payers that have a connection, with what the file leaves out filled in', () => {
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

it('takes credentials from the environment or from a file', () => {
  const credentials = JSON.stringify({ north: { headers: { authorization: 'Bearer x' } } });
  const folder = mkdtempSync(join(tmpdir(), 'ivs-credentials-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const path = join(folder, 'credentials.json');
  writeFileSync(path, credentials);
  for (const source of [{ credentials }, { credentialsFile: path }]) {
    expect(readConnections(options(source))[0]?.credentials).toEqual({
      headers: { authorization: 'Bearer x' },
    });
  }
});

// Without it a service would start that every payer refuses, or one that sends patients' data in the clear.
it.each([
  [{ credentials: '{"south":{}}' }, /^X12_CREDENTIALS: no payer .* "south"/],
  [{ credentials: 'hunter2' }, /^X12_CREDENTIALS: not JSON\.$/],
  [{ credentials: '{"north":{"token":"hunter2"}}' }, /^X12_CREDENTIALS: at "north"/],
  [{ credentials: '{"north":{"password":"hunter2"}}' }, /username and password go together/],
  [{ credentials: '{}', credentialsFile: 'x' }, /Set one of them/],
  [{ credentialsFile: '/nowhere/credentials.json' }, /^X12_CREDENTIALS_FILE: .* cannot be read\.$/],
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
