import { anOutput } from '@insurance-verification/testing/an-output';
import { expect, test } from 'vitest';
import { accessLines } from '../../test/ground/access-lines.ts';
import { openTestStores } from '../../test/ground/open-test-stores.ts';
import { orphans } from '../../test/ground/orphans.ts';
import { anAccount, intake, submit } from '../../test/ground/stages.ts';
import { aVerifier, claimOne, release, workQueue } from '../../test/ground/work-queue.ts';
import {
  type Caller,
  closeRequest,
  discardDraft,
  getDraft,
  listDrafts,
  measureOwnDay,
  removeExpired,
  saveDraft,
} from '../index.ts';

const stores = await openTestStores();
const { store, rival, sql } = stores;
const queue = workQueue(stores);
const account = await anAccount(store);

/** A verifier as the router passes one on: of its own work only. */
const aPerson = (): Caller => ({ ...aVerifier(), acrossAccounts: false, ownWork: 'alone' });
const across = (caller: Caller): Caller => ({
  keyId: caller.keyId,
  accountId: caller.accountId,
  mode: 'live',
  acrossAccounts: true,
});

/** A request that the caller leases. */
async function aLeased(caller: Caller) {
  await queue.empty();
  const request = await intake(store, account);
  return { ...(await claimOne(store, { caller: across(caller) })), request };
}

const save = (caller: Caller, requestId: string, content: string, revision: number | null = null) =>
  saveDraft(store, { caller, requestId, content, revision });

async function saved(...saving: Parameters<typeof save>): Promise<number> {
  const answer = await save(...saving);
  if (answer.kind !== 'saved') throw new Error(answer.kind);
  return answer.draft.revision;
}

/** Null where the caller reads none. */
const content = async (caller: Caller, requestId: string) => {
  const found = await getDraft(rival, { caller, requestId });
  return found.kind === 'found' ? (found.draft?.content ?? null) : found.kind;
};

// Without it the second of two tabs would overwrite the text of the first without notice.
test('of two saves from one revision the first is kept, and the second is refused', async () => {
  const caller = aPerson();
  const { requestId } = await aLeased(caller);
  const revision = await saved(caller, requestId, 'a\0\ud800');
  const next = await saved(caller, requestId, 'ab', revision);
  expect(await save(caller, requestId, 'ac', revision)).toEqual({ kind: 'draft_changed' });
  expect(await save(caller, requestId, 'ad')).toEqual({ kind: 'draft_changed' });
  expect(await discardDraft(store, { caller, requestId, revision })).toEqual({ kind: 'draft_changed' });
  expect(await content(caller, requestId)).toBe('ab');
  // A save whose answer was lost comes again.
  expect(await saved(caller, requestId, 'ab', revision)).toBe(next);
});

test('two saves at once leave one', async () => {
  const caller = aPerson();
  const { requestId } = await aLeased(caller);
  const answers = await Promise.all(
    [store, rival].map((on, index) =>
      saveDraft(on, { caller, requestId, content: `${index}`, revision: null }),
    ),
  );
  expect(answers.map(({ kind }) => kind).toSorted()).toEqual(['draft_changed', 'saved']);
});

// Without it a new draft would be overwritten by a tab that still has the one before.
test('a revision is never used again', async () => {
  const caller = aPerson();
  const { requestId } = await aLeased(caller);
  const revision = await saved(caller, requestId, 'first');
  expect(await discardDraft(store, { caller, requestId, revision })).toEqual({ kind: 'discarded' });
  expect(await discardDraft(store, { caller, requestId, revision })).toEqual({ kind: 'discarded' });
  expect(await saved(caller, requestId, 'second')).toBeGreaterThan(revision);
  expect(await save(caller, requestId, 'first, longer', revision)).toEqual({ kind: 'draft_changed' });
});

// Without it what was typed without a network would be lost with the lease.
test('a lapsed lease does not stop a save; another person’s request does', async () => {
  const [caller, stranger] = [aPerson(), aPerson()];
  const { requestId } = await aLeased(caller);
  await queue.lapse(requestId);
  await saved(caller, requestId, 'late');
  expect(await save(stranger, requestId, 'x')).toEqual({ kind: 'not_found' });
  expect(await content(stranger, requestId)).toBe('not_found');
  expect(await save(caller, 'req_x', 'x')).toEqual({ kind: 'not_found' });
});

// Without it the work of the first would be lost, or the first would change the form of the second.
test('the next holder of the lease reads and replaces the draft, and the one before does neither', async () => {
  const [first, next] = [aPerson(), aPerson()];
  const work = await aLeased(first);
  const { requestId } = work;
  const revision = await saved(first, requestId, 'half an answer');
  await release(store, work);
  const claimed = await claimOne(store, { caller: across(next) });
  expect(await content(first, requestId)).toBeNull();
  expect(await content(next, requestId)).toBe('half an answer');
  expect(await save(next, requestId, 'mine')).toEqual({ kind: 'draft_changed' });
  const replaced = await saved(next, requestId, 'mine', revision);
  for (const late of [
    await save(first, requestId, 'late', replaced),
    await discardDraft(store, { caller: first, requestId, revision: replaced }),
  ])
    expect(late).toEqual({ kind: 'lease_lost' });
  expect((await listDrafts(store, { caller: first, limit: 5 })).items).toEqual([]);
  await release(store, claimed);
  expect(await content(first, requestId)).toBe('mine');
});

// Without it patients' data would stay stored for no purpose.
test('a draft goes with the result, and seven days after it was saved', async () => {
  const caller = aPerson();
  const [answered, closed, old] = [await aLeased(caller), await aLeased(caller), await aLeased(caller)];
  for (const { requestId } of [answered, closed, old]) await saved(caller, requestId, 'x');
  await submit(store, anOutput(answered.request));
  await closeRequest(store, { caller: account, requestId: closed.requestId, reason: 'withdrawn' });
  expect(await save(caller, answered.requestId, 'y')).toEqual({ kind: 'finished' });
  await sql(`update draft set saved_at = now() - interval '7 days 1 second' where request_id = $1`, [
    old.requestId,
  ]);
  await removeExpired(store);
  const left = await sql('select from draft where request_id = any ($1)', [
    [answered, closed, old].map(({ requestId }) => requestId),
  ]);
  expect(left).toEqual([]);
});

// Without it a copy of one row in another's place would show one patient's data as another's.
test('a draft is encrypted for its request, its writer and its revision', async () => {
  const caller = aPerson();
  const [one, other] = [await aLeased(caller), await aLeased(caller)];
  const revision = await saved(caller, one.requestId, 'of one patient');
  await saved(caller, other.requestId, 'of another');
  await sql(`update draft set body = (select body from draft where request_id = $1) where request_id = $2`, [
    one.requestId,
    other.requestId,
  ]);
  await expect(getDraft(store, { caller, requestId: other.requestId })).rejects.toThrow(
    'cannot be decrypted',
  );
  await sql('update draft set revision = revision - 1 where request_id = $1 and revision = $2', [
    one.requestId,
    revision,
  ]);
  await expect(getDraft(store, { caller, requestId: one.requestId })).rejects.toThrow('cannot be decrypted');
});

test('who wrote, read and discarded a draft is in the access log', async () => {
  const caller = aPerson();
  const { requestId } = await aLeased(caller);
  const revision = await saved(caller, requestId, 'x');
  await save(caller, requestId, 'y');
  await getDraft(store, { caller, requestId });
  await listDrafts(store, { caller, limit: 5 });
  await discardDraft(store, { caller, requestId, revision });
  expect(await accessLines(stores, caller)).toEqual([
    ['work.claim', requestId],
    ['drafts.save', requestId],
    ['drafts.get', requestId],
    ['drafts.list', requestId],
    ['drafts.discard', requestId],
  ]);
});

test('a verifier’s day counts what it did by hand, and lists its drafts', async () => {
  const caller = aPerson();
  const day = () => measureOwnDay(store, { caller, since: undefined });
  expect(await day()).toEqual({ done_count: 0, failed_count: 0, seconds_p50: null, draft_count: 0 });
  const { requestId } = await aLeased(caller);
  await saved(caller, requestId, 'x');
  const ended = `insert into verification_attempt
    (request_id, number, account_id, payer_id, channel, key_id, lease_hash, started_at, ended_at,
      outcome)
    select $1, number, $2, 'plan-1', channel, $3, '', now() - make_interval(secs => seconds), now(), outcome
    from (values (11, 'manual_phone_call', 60, 'succeeded'), (12, 'manual_web_portal', 120, 'failed'),
      (13, 'manual_web_portal', 600, 'succeeded'), (14, 'agent_web_portal', 1, 'succeeded'),
      (15, 'manual_web_portal', 1, 'released')) as attempt (number, channel, seconds, outcome)`;
  await sql(ended, [requestId, account.accountId, caller.keyId]);
  // A result and its correction are one request.
  expect(await day()).toEqual({ done_count: 1, failed_count: 1, seconds_p50: 120, draft_count: 1 });
  expect(await measureOwnDay(store, { caller, since: new Date(Date.now() + 60_000) })).toMatchObject({
    done_count: 0,
  });
  expect(await listDrafts(store, { caller, limit: 5 })).toMatchObject({
    items: [{ requestId, payerId: 'plan-1', patientInitials: 'J. D.', isLeased: true }],
    next_cursor: null,
  });
});

// Without it a request could wait in no queue, or stay in one when it is finished: no foreign key sees it.
test('all that was written has its counterpart', async () => {
  expect(await orphans(stores)).toEqual([]);
});
