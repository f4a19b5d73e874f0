import { anOutput } from '@insurance-verification/testing/an-output';
import { expect, test, vi } from 'vitest';
import { advanceWork, type Store } from '../src/index.ts';
import { openTestStores } from './ground/open-test-stores.ts';
import { orphans } from './ground/orphans.ts';
import { anAccount, intake, submit } from './ground/stages.ts';
import { theDeliveries } from './ground/the-stored.ts';
import { claim, claimOne, fail, release, ROUTE, submitFound, workQueue } from './ground/work-queue.ts';

vi.setConfig({ testTimeout: 120_000 });
// A connection for each who races: one who waits for one in use gives up after 0.7 s, which is not the subject here.
const stores = await openTestStores({ connectionCountMax: 25 });
const { store, rival, sql } = stores;
const queue = workQueue(stores);
const account = () => anAccount(store);
const accounts = [await account(), await account(), await account(), await account()] as const;

const intakeMany = async (count: number) => {
  const ids: string[] = [];
  for (let index = 0; index < count; index += 50) {
    const made = await Promise.all(
      Array.from({ length: Math.min(50, count - index) }, (_, at) =>
        intake(store, accounts[(at % 4) as 0 | 1 | 2 | 3]),
      ),
    );
    ids.push(...made.map(({ request_id: id }) => id));
  }
  return ids;
};

// Without it two verifiers would call the payer about one patient, or a request would be forgotten.
test('fifty verifiers on two processes get each of a thousand requests exactly once', async () => {
  const ids = await intakeMany(1_000);
  const drain = async (claimer: Store) => {
    const seen: string[] = [];
    for (;;) {
      const works = await claim(claimer);
      if (works.length === 0) return seen;
      seen.push(...works.map(({ requestId }) => requestId));
    }
  };
  const verifiers = Array.from({ length: 50 }, (_, index) => drain(index % 2 ? store : rival));
  const seen = (await Promise.all(verifiers)).flat();
  seen.push(...(await drain(store))); // a claim that lost every race may have left some
  expect(seen).toHaveLength(1_000);
  expect(new Set(seen)).toEqual(new Set(ids));
});

// Without it verifiers that die, are slow, submit twice or submit an output would lose a request or finish it twice.
test('with verifiers that die and zombies that come back every request ends once, with one webhook', async () => {
  await queue.empty();
  const ids = await intakeMany(120);
  const zombies: Awaited<ReturnType<typeof claimOne>>[] = [];
  const work = async (verifier: Store, index: number) => {
    for (let round = 0; ; round += 1) {
      const [item] = await claim(verifier, { channels: ['agent_web_portal', 'manual_phone_call'] });
      if (!item) return;
      switch ((index + round) % 6) {
        case 0: // dies
          await queue.lapse(item.requestId);
          await advanceWork(verifier, [ROUTE]);
          zombies.push(item);
          break;
        case 1:
          await fail(verifier, item);
          break;
        case 2:
          if (item.attemptNumber < 3) await release(verifier, item);
          else await submitFound(verifier, item);
          break;
        case 3:
          await Promise.all([submitFound(verifier, item), submit(rival, anOutput(item.request))]);
          break;
        default:
          await submitFound(verifier, item);
      }
      // Whether the request is held now, waits or has ended: a verifier that lost its lease is too late.
      const zombie = zombies.shift();
      if (zombie) expect(await submitFound(verifier, zombie)).toMatchObject({ kind: 'lease_lost' });
    }
  };
  // A claim that lost every race may have left some: whoever comes last takes them.
  const left = () => sql('select from work_queue where request_id = any($1)', [ids]);
  for (let sweep = 0; sweep < 4 || (await left()).length > 0; sweep += 1) {
    await Promise.all(Array.from({ length: 12 }, (_, index) => work(index % 2 ? store : rival, index)));
  }
  const finished = await sql<{ id: string; account_id: string }>(
    `select id, account_id from request where outcome <> 'none' and id = any($1)`,
    [ids],
  );
  expect(finished).toHaveLength(ids.length);
  for (const { id, account_id: accountId } of finished) {
    const deliveries = await theDeliveries(store, { keyId: 'key', accountId, mode: 'live' }, id);
    expect(deliveries.map(({ version }) => version)).toEqual([1]);
  }
  expect(
    await sql('select from verification_attempt where ended_at is null and request_id = any($1)', [ids]),
  ).toEqual([]);
});

// Without it an output and a lease's end would deadlock, or both finish the request.
test('everything at once on one request ends it once', async () => {
  for (let round = 0; round < 40; round += 1) {
    await queue.empty();
    const [id] = await intakeMany(1);
    const item = await claimOne(store, { channels: ['agent_web_portal', 'manual_phone_call'] });
    if (round % 3 === 0) await queue.lapse(item.requestId, 0);
    const answers = await Promise.all([
      submitFound(store, item),
      submitFound(rival, item),
      fail(rival, item, { final: true }),
      release(store, item),
      submit(rival, anOutput(item.request)),
      advanceWork(store, [ROUTE]),
      claim(rival),
    ]);
    const [one, again, ...others] = answers.slice(0, 5).map((answer) => (answer as { kind: string }).kind);
    // Under one lease, one submission and its repeat.
    expect([one, again].toSorted()).toEqual(
      [one, again].includes('applied') ? ['applied', 'applied_before'] : ['lease_lost', 'lease_lost'],
    );
    const ends = [one, again, ...others].filter((kind) => kind === 'applied' || kind === 'error_verifying');
    expect(ends).toHaveLength(1);
    expect(await sql('select version from result where request_id = $1', [id])).toEqual([{ version: 1 }]);
  }
});

// Without it a request or a delivery could wait in no queue, or stay in one when it is finished: no foreign key sees it.
test('all that was written has its counterpart', async () => {
  expect(await orphans(stores)).toEqual([]);
});
