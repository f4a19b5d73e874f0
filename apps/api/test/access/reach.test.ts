import { beforeAll, describe, expect, test } from 'vitest';
import { useService } from '../a-service.ts';
import { rows } from '../rows.ts';
import { aClient } from '../staff/a-session.ts';
import { type Transport, transports, operationNames } from '../transports.ts';
import { aTestAccount, CALLS_ALONE } from './a-test-account.ts';
import { ASKS } from './asked-in-vain.ts';
import { type LiveThings, liveThings, PATIENT } from './live-things.ts';

const service = useService({ env: CALLS_ALONE });
let testKey: string;
let testAccountId: string;
beforeAll(async () => {
  ({ testKey, testAccountId } = await aTestAccount(service));
});

/** Everything that could change, except the access log and the keys' last use. */
async function everything(): Promise<string> {
  const tables = [
    'account',
    'request',
    'result',
    'delivery',
    'verification_attempt',
    'x12_exchange',
    'draft',
    'erasure',
    'legal_hold',
  ];
  const people = ['staff', 'sign_in_link', 'staff_session', 'passkey', 'staff_settings'];
  const all = [...tables, ...people].map((table) => `select to_jsonb(t)::text as text from ${table} as t`);
  const keys = `select (to_jsonb(k) - 'last_used_at')::text from api_key as k`;
  // An output from a test key for something out of its reach is held as its own, which changes nothing live.
  const held = `select to_jsonb(h)::text from held_output as h
    where received_by is null or received_by not in (
      select id from api_key where account_id = '${testAccountId}'
    )`;
  const found = await rows<{ text: string }>(
    service.databaseUrl,
    `select string_agg(text, e'\\n' order by text) as text from (${[...all, keys, held].join(' union all ')}) as rows`,
  );
  return found[0]?.text ?? '';
}

const asked = Object.keys(ASKS) as (keyof typeof ASKS)[];

// Without it nobody would check what a test key reaches through a new operation.
test('every operation is asked', () => {
  expect([...asked].toSorted()).toEqual([...operationNames].toSorted());
});

describe.each(transports)('over $name', (transport) => {
  // For all operations: whatever one changed would fail its own test.
  let things: LiveThings;
  beforeAll(async () => void (things = await liveThings(service)));

  // Broke: an ivk_test_ key with `verify` got live patients, one with `operate` read and closed their requests.
  test.each(asked)('%s shows and changes nothing live to a test account’s key', async (operation) => {
    const before = await everything();
    for (const input of ASKS[operation](things)) {
      const answer = await transport.call(service, operation, input, { key: testKey, headers: aClient() });
      expect(answer.status).toBeLessThan(500);
      for (const secret of namesOf(things, operation, input)) expect(answer.text).not.toContain(secret);
      if (operation === 'work.stats') expect(countsOf(transport, answer)).toEqual(0);
    }
    expect(await everything()).toBe(before);
  });

  test('the id of something live answers as an unknown one does', async () => {
    for (const operation of asked) {
      for (const input of ASKS[operation](things)) {
        const unknown = Object.fromEntries(
          Object.entries(input).map(([name, value]) => [name, otherId(value)]),
        );
        if (JSON.stringify(unknown) === JSON.stringify(input)) continue;
        const answers = [];
        for (const one of [input, unknown])
          answers.push(await transport.call(service, operation, one, { key: testKey, headers: aClient() }));
        expect([operation, answers[0]?.status, answers[0]?.text]).toEqual([
          operation,
          answers[1]?.status,
          answers[1]?.text,
        ]);
      }
    }
  });
});

/** What no answer may contain: the ids of live things, except those in the call, which may be echoed. */
function namesOf(
  { waiting, leased, finished, accountId, keyId, deliveryId, heldIds, staffIds, sessionId }: LiveThings,
  operation: string,
  input: object,
) {
  const said = operation === 'verificationOutput.submit' ? '' : JSON.stringify(input);
  const ids = [waiting.request_id, leased.request.request_id, finished.request_id, accountId, keyId];
  const names = [...ids, deliveryId, ...heldIds, ...staffIds, sessionId];
  return [...names, 'A live clinic', PATIENT, 'ISA*asked'].filter((name) => !said.includes(name));
}

function countsOf(transport: Transport, answer: Parameters<Transport['output']>[0]): number {
  const { items } = transport.output<{ items: { waiting_count: number; leased_count: number }[] }>(answer);
  return items.reduce((sum, { waiting_count, leased_count }) => sum + waiting_count + leased_count, 0);
}

/** Another id of the same form that does not exist. */
function otherId(value: unknown): unknown {
  if (typeof value !== 'string') return value;
  return value.replace(/^((?:req|key|acct|held|stf|ses|msg|pky)_).{10}/, '$100000zzzzz');
}
