import type { RequestModel } from '@insurance-verification/schema';
import {
  type ClaimedWork,
  claimWork,
  insertRequests,
  type Store,
  type SubmittedOutput,
} from '@insurance-verification/store';
import { aRequest } from '@insurance-verification/testing/a-request';
import { aCoverage, anOutput } from '@insurance-verification/testing/an-output';
import { expect, test } from 'vitest';
import { createResultWriter } from '../../src/output/create-result-writer.ts';
import type { ResultWriter } from '../../src/procedure/context/app.ts';
import { aTableLock } from '../a-table-lock.ts';
import { rows } from '../rows.ts';
import { aLiveAccount } from '../verification/a-live-account.ts';

const applied = { kind: 'applied', version: 1 };

async function someRequests({ store, caller }: Awaited<ReturnType<typeof aLiveAccount>>, count: number) {
  const list = Array.from({ length: count }, () => ({
    caller,
    payerId: 'plan-1',
    input: aRequest(),
    idempotencyKey: null,
  }));
  return (await insertRequests(store, list)).flatMap((one) => (one.kind === 'created' ? [one.request] : []));
}

const submitted = (request: RequestModel, notes?: string): SubmittedOutput => ({
  output: anOutput(request, { insurance_data: [aCoverage(request, notes === undefined ? {} : { notes })] }),
  payerId: 'plan-1',
  caller: null,
  client: '192.0.2.1',
  trusted: true,
  holdsAgentResults: false,
});

const statementCount = async (databaseUrl: string) =>
  (await rows<{ n: number }>(databaseUrl, 'select count(distinct xmin::text)::int as n from result'))[0]?.n;

const claimAll = async (store: Store, count: number): Promise<readonly ClaimedWork[]> => {
  const channels = ['api'] as const;
  const route = {
    payerId: 'plan-1',
    channels: channels.map((source) => ({ source, attemptCountMax: 3, secondsMax: 3_600 })),
    skipsUnattended: false,
    holdsAgentResults: false,
    inFlightCountMax: null,
  };
  const caller = { keyId: 'key_1', accountId: 'acct_1', mode: 'live', acrossAccounts: true } as const;
  const claim = { caller, routes: [route], channels, limit: count, leaseSeconds: 60 };
  return (await claimWork(store, claim)).works;
};

/** Occupies the concurrent statements with one output each; they wait for the table's lock. */
async function occupy(
  { acceptOutput }: ResultWriter,
  requests: readonly RequestModel[],
  lock: Awaited<ReturnType<typeof aTableLock>>,
) {
  const occupying = [];
  for (const [index, request] of requests.entries()) {
    occupying.push(acceptOutput(submitted(request)));
    await lock.waitedForBy(index + 1);
  }
  return occupying;
}

// Group commit: a burst waits for the next statement, not for connections.
test('outputs that arrive while statements run are applied together by the next, each with its own answer', async () => {
  const account = await aLiveAccount();
  const writer = createResultWriter(account.store);
  const [first, second, repeated, ...others] = await someRequests(account, 43);
  if (!first || !second || !repeated) throw new Error('Forty-three.');
  const lock = await aTableLock(account.connectionString, 'request');
  const occupying = await occupy(writer, [first, second], lock);
  const racing = ['one', 'one', 'another'].map((notes) => writer.acceptOutput(submitted(repeated, notes)));
  const answers = others.map((request) => writer.acceptOutput(submitted(request)));
  await lock.release();
  expect(await Promise.all([...occupying, ...answers])).toEqual(
    [...occupying, ...answers].map(() => applied),
  );
  expect((await Promise.all(racing)).map(({ kind }) => kind)).toEqual(['applied', 'unchanged', 'held']);
  expect(await statementCount(account.connectionString)).toBe(3);
});

// An output that the database refuses must not cost sixty others their answers.
test('an output that fails fails by itself', async () => {
  const account = await aLiveAccount();
  const { acceptOutput } = createResultWriter(account.store);
  const [poison, ...fine] = await someRequests(account, 10);
  if (!poison) throw new Error('Ten.');
  await rows(
    account.connectionString,
    `insert into result (request_id, version, outcome, body, digest)
     values ('${poison.request_id}', 1, 'complete', '', '')`,
  );
  const outcomes = await Promise.allSettled(
    [poison, ...fine].map((request) => acceptOutput(submitted(request))),
  );
  expect(outcomes.map(({ status }) => status)).toEqual(['rejected', ...fine.map(() => 'fulfilled')]);
  expect(await statementCount(account.connectionString)).toBe(1 + fine.length);
});

// Sixty of the longest in one statement would take half a gigabyte.
test('a long result is written by itself', async () => {
  const account = await aLiveAccount();
  const { acceptOutput, submitWork } = createResultWriter(account.store);
  const requests = await someRequests(account, 4);
  const long = 'x'.repeat(70_000);
  const answers = requests.map((request, index) =>
    acceptOutput(submitted(request, index < 2 ? long : 'short')),
  );
  expect(await Promise.all(answers)).toEqual(requests.map(() => applied));
  expect(await statementCount(account.connectionString)).toBe(3);
  await someRequests(account, 3);
  const works = await claimAll(account.store, 3);
  const submissions = works.map(({ requestId, leaseToken, request }, index) =>
    submitWork({
      caller: account.caller,
      requestId,
      leaseToken,
      insuranceData: [
        aCoverage(request, { verification_source: 'api', notes: index === 0 ? long : 'short' }),
      ],
      evidence: {},
      routes: [],
    }),
  );
  expect(await Promise.all(submissions)).toEqual(works.map(() => applied));
  expect(await statementCount(account.connectionString)).toBe(5);
});
