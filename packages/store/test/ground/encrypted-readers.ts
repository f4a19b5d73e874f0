import { aRequest } from '@insurance-verification/testing/a-request';
import { stagedPlace } from '../../src/batches/receive-batch.ts';
import {
  type Caller,
  compareHeldOutput,
  dismissHeldOutput,
  getBenefits,
  getDelivery,
  getDraft,
  getHeldOutput,
  getRequest,
  getResult,
  listAttempts,
  listBatchResults,
  listDeliveries,
  listHolds,
  listKnownAnswers,
  listRequests,
  listHeldOutputs,
  listX12Exchanges,
  placeHold,
  revealRequest,
  type Route,
  saveDraft,
  searchDeliveries,
  searchRequests,
  viewRequest,
} from '../../src/index.ts';
import { knownAnswerPlace } from '../../src/known-answers/seed-known-answer.ts';
import { openDifferences } from '../../src/output/comparison/held-differences.ts';
import { heldPlace, heldRefs } from '../../src/output/held/held-encryption.ts';
import { aBatchOf } from './a-batch-of.ts';
import { aRequestWithEverything } from './a-request-with-everything.ts';
import type { TestStores } from './open-test-stores.ts';
import { aPlatformCaller, intake, PAYER_ID } from './stages.ts';
import { claim, claimOne, workQueue } from './work-queue.ts';

/** Two requests of one account: one with everything that a result brings, and one that a verifier has a draft of. */
export interface Theirs {
  readonly requestId: string;
  readonly heldIds: readonly string[];
  readonly deliveryIds: readonly string[];
  readonly openId: string;
  readonly verifier: Caller;
  /** Of the first request; with a second row that is staged. */
  readonly batchId: string;
}

export async function theirs(stores: TestStores): Promise<Theirs> {
  const { store, sql } = stores;
  const queue = workQueue(stores);
  const { caller, requestId, heldIds } = await aRequestWithEverything(stores);
  const [ofKey = ''] = heldIds;
  await dismissHeldOutput(store, { caller: OPERATOR, heldId: ofKey, note: 'Jane called' });
  await holdWithMore(stores, { heldId: ofKey, accountId: caller.accountId });
  await placeHold(store, { caller: OPERATOR, covers: { requestId }, reason: 'Jane against the clinic' });
  const answer = await store.vault.encrypt(
    { accountId: caller.accountId },
    knownAnswerPlace(requestId),
    JSON.stringify({ plan_name: 'Jane has Gold' }),
  );
  await sql('insert into known_answer (request_id, seeded_by, answer) values ($1, $2, $3)', [
    requestId,
    OPERATOR.keyId,
    answer,
  ]);
  await queue.empty();
  const verifier = aPlatformCaller();
  const { request_id: openId } = await intake(store, caller);
  await claimOne(store, { caller: verifier });
  await saveDraft(store, { caller: verifier, requestId: openId, content: 'Jane has', revision: null });
  const rows = await sql<{ id: string }>('select id from delivery where request_id = $1 order by version', [
    requestId,
  ]);
  const { batch_id: batchId } = await aBatchOf(stores, requestId);
  const staged = await store.vault.encrypt(
    { accountId: caller.accountId },
    stagedPlace(batchId, 1),
    JSON.stringify('Jane to be'),
  );
  await sql('insert into batch_staged (batch_id, row, request) values ($1, 1, $2)', [batchId, staged]);
  return { requestId, heldIds, deliveryIds: rows.map(({ id }) => id), openId, verifier, batchId };
}

/** As an agent's result is held, with its benefits, and a correction with its reason. */
async function holdWithMore(
  { store, sql }: TestStores,
  { heldId, accountId }: { readonly heldId: string; readonly accountId: string },
): Promise<void> {
  const [row] = await sql<{ received_by: string | null }>(
    'select received_by from held_output where id = $1',
    [heldId],
  );
  const ref = {
    id: heldId,
    account_id: accountId,
    received_by: row?.received_by ?? null,
    named_request_id: null,
  };
  const kept = { row: 0, loop: 'patient', delimiters: '*:^', segments: ['EB*1**30', 'MSG*JANE HELD'] };
  const coverage = { group_number: null, relationship: null, order: null, rows: [kept] };
  const benefits = { serviceDate: '2026-11-26', leftOut: 0, coverages: [coverage] };
  const encrypted = await store.vault.encrypt(
    { accountId },
    heldPlace('benefits', ref),
    JSON.stringify(benefits),
  );
  const why = { correctionReason: 'Jane has another plan' };
  const evidence = await store.vault.encrypt({ accountId }, heldPlace('evidence', ref), JSON.stringify(why));
  await sql('update held_output set benefits = $2, evidence = $3 where id = $1', [
    heldId,
    encrypted,
    evidence,
  ]);
}

/** What opens encrypted columns, as a caller of the account that the row names would, and a text that it shows of them. */
interface Reader {
  readonly opens: readonly string[];
  readonly shows: string;
  readonly read: (caller: Caller, of: Theirs) => Promise<unknown>;
}

export const OPERATOR = aPlatformCaller();

const routes: readonly Route[] = [];

/** The readers of every encrypted column of a request, by operation. */
export const encryptedReaders = (stores: TestStores): Readonly<Record<string, Reader>> => {
  const { store, sql } = stores;
  const queue = workQueue(stores);
  return {
    'requests.get': {
      opens: ['request.input', 'request.outcome_reason'],
      shows: 'Jane Doe',
      read: (caller, { requestId }) => getRequest(store, { caller, requestId }),
    },
    'requests.result': {
      opens: ['result.body'],
      shows: 'Jane Doe',
      read: (caller, { requestId }) => getResult(store, { caller, requestId }),
    },
    'requests.benefits': {
      opens: ['result.body', 'result.benefits'],
      shows: 'MSG*JANE',
      read: (caller, { requestId }) => getBenefits(store, { caller, requestId, version: 1 }),
    },
    'batches.results': {
      opens: ['batch_row.reference', 'request.outcome_reason'],
      shows: 'chart of Jane',
      read: (caller, { batchId }) =>
        listBatchResults(store, { caller, batchId, limit: 10, after: undefined }),
    },
    // As the request that it becomes is made.
    'a staged row': {
      opens: ['batch_staged.request'],
      shows: 'Jane to be',
      read: async ({ accountId }, { batchId }) => {
        const [row] = await sql<{ request: Buffer }>('select request from batch_staged where batch_id = $1', [
          batchId,
        ]);
        return store.vault.decryptJson({ accountId }, stagedPlace(batchId, 1), row?.request ?? Buffer.of());
      },
    },
    'requests.view': {
      opens: ['request.input', 'request.service_date', 'result.body'],
      shows: 'Jane Doe',
      read: (caller, { requestId }) => viewRequest(store, { caller, requestId, routes, makesRequests: true }),
    },
    'requests.reveal': {
      opens: ['request.input'],
      shows: 'Jane Doe',
      read: (caller, { requestId }) => revealRequest(store, { caller, requestId }),
    },
    'requests.list': {
      opens: ['request.input'],
      shows: 'Jane Doe',
      read: (caller) => listRequests(store, { caller, limit: 10 }),
    },
    'requests.search by id': {
      opens: ['request.outcome_reason'],
      shows: '"error_reason":"member_not_found"',
      read: (caller, { requestId }) => searchRequests(store, { caller, routes, limit: 10, requestId }),
    },
    'requests.search by reason': {
      opens: ['request.outcome_reason'],
      shows: '"error_reason":"member_not_found"',
      read: (caller) => searchRequests(store, { caller, routes, limit: 10, errorReason: 'member_not_found' }),
    },
    'requests.search by member': {
      opens: ['request.input'],
      shows: '"payer":"Payer Plan 1"',
      read: (caller) =>
        searchRequests(store, { caller, routes, limit: 10, memberId: aRequest().patient_info.subscriber_id }),
    },
    'requests.deliveries': {
      opens: ['delivery_attempt.response_snippet'],
      shows: 'thank you, Jane',
      read: (caller, { requestId }) => listDeliveries(store, { caller, requestId }),
    },
    'deliveries.get': {
      opens: ['delivery.destination', 'delivery_attempt.response_snippet'],
      shows: 'thank you, Jane',
      read: (caller, { deliveryIds: [deliveryId = ''] }) => getDelivery(store, { caller, deliveryId }),
    },
    'deliveries.list': {
      opens: ['delivery.destination'],
      shows: '"host":"127.0.0.1:9"',
      read: (caller) => searchDeliveries(store, { caller, limit: 10 }),
    },
    'requests.attempts': {
      opens: ['verification_attempt.evidence'],
      shows: 'Jane is covered',
      read: (caller, { requestId }) => listAttempts(store, { caller, requestId, withInternals: true }),
    },
    'requests.exchanges': {
      opens: ['x12_exchange.inquiry', 'x12_exchange.answer'],
      shows: 'ISA~',
      read: (caller, { requestId }) => listX12Exchanges(store, { caller, requestId }),
    },
    'knownAnswers.list': {
      opens: ['known_answer.answer', 'request.input'],
      shows: 'Jane has Gold',
      read: (caller) => listKnownAnswers(store, { caller, limit: 10 }),
    },
    'heldOutputs.get': {
      opens: ['held_output.body', 'held_output.note'],
      shows: 'Jane called',
      read: (_, { heldIds: [heldId = ''] }) => getHeldOutput(store, { caller: OPERATOR, heldId }),
    },
    'heldOutputs.get with benefits': {
      opens: ['held_output.benefits'],
      shows: 'JANE HELD',
      read: (_, { heldIds: [heldId = ''] }) => getHeldOutput(store, { caller: OPERATOR, heldId }),
    },
    'heldOutputs.get of a correction': {
      opens: ['held_output.evidence'],
      shows: 'Jane has another plan',
      read: (_, { heldIds: [heldId = ''] }) => getHeldOutput(store, { caller: OPERATOR, heldId }),
    },
    'heldOutputs.get of a stranger': {
      opens: ['held_output.body'],
      shows: 'of a stranger',
      read: (_, { heldIds: [, heldId = ''] }) => getHeldOutput(store, { caller: OPERATOR, heldId }),
    },
    'heldOutputs.list': {
      opens: ['held_output.differences'],
      shows: '"standing"',
      read: async (_, { heldIds: [, heldId = ''] }) => {
        await listHeldOutputs(store, { caller: OPERATOR, limit: 100 }); // compares it, the first time
        const row = await heldRefs(store.db, OPERATOR)
          .select('differences')
          .where('id', '=', heldId)
          .executeTakeFirstOrThrow();
        return openDifferences(store.vault, row, row.differences ?? Buffer.of());
      },
    },
    'heldOutputs.compare': {
      opens: ['held_output.body', 'request.input'],
      shows: 'of a key',
      read: (_, { heldIds: [heldId = ''] }) =>
        compareHeldOutput(store, {
          caller: OPERATOR,
          heldId,
          requestId: undefined,
          payerIdOf: () => PAYER_ID,
        }),
    },
    'holds.list': {
      opens: ['legal_hold.reason'],
      shows: 'Jane against',
      read: (caller) => listHolds(store, { caller, limit: 10 }),
    },
    'drafts.get': {
      opens: ['draft.body'],
      shows: 'Jane has',
      read: (_, { openId, verifier }) => getDraft(store, { caller: verifier, requestId: openId }),
    },
    'work.claim': {
      opens: ['request.input', 'request.service_date', 'request.gender'],
      shows: 'Jane Doe',
      read: async (_, { openId }) => {
        await queue.lapse(openId);
        return claim(store);
      },
    },
    // Nothing reads it: as whoever did would.
    'the progress': {
      opens: ['request.progress'],
      shows: 'Active in the portal.',
      read: async ({ accountId }, { requestId }) => {
        const [row] = await sql<{ progress: Buffer }>('select progress from request where id = $1', [
          requestId,
        ]);
        return store.vault.decryptJson(
          { accountId },
          `request.progress:${requestId}`,
          row?.progress ?? Buffer.of(),
        );
      },
    },
  };
};
