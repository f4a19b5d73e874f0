import {
  initialsOf,
  type KnownAnswer,
  type RequestInfo,
  type SeededRequest,
} from '@insurance-verification/schema';
import { sql } from 'kysely';
import type { Caller } from '../access/caller.ts';
import { insertAccount } from '../access/create-account.ts';
import { recordAccess } from '../access/record-access.ts';
import { insertRequests } from '../intake/insert-requests.ts';
import { LOCKS } from '../locks.ts';
import type { Store } from '../open-store.ts';
import { judgeAnswer } from './judge-answer.ts';
import { KNOWN_ANSWERS_ACCOUNT_ID } from './known-answers-account.ts';

interface Seed {
  readonly caller: Caller;
  readonly payerId: string;
  readonly request: RequestInfo;
  /** `YYYY-MM-DD`; null for the day of asking. */
  readonly serviceDate: string | null;
  /** Null where no time is given. */
  readonly neededBy: Date | null;
  /** Null where it is not given. */
  readonly gender?: string | null;
  readonly answer: KnownAnswer;
  /** Creates the account's secret when the first request is seeded; it signs nothing. */
  readonly createWebhookSecret: () => string;
}

/**
 * `beyond_reach`: a test account's caller seeds no request of live verifiers. `no_right_answer`: nothing that is answered
 * could be compared.
 */
type Seeded =
  | { readonly kind: 'seeded'; readonly seeded: SeededRequest }
  | { readonly kind: 'beyond_reach' | 'no_right_answer' };

/** Creates a request of the known answers' account and keeps its right answer, in one transaction. */
export async function seedKnownAnswer(store: Store, seed: Seed): Promise<Seeded> {
  const {
    caller,
    payerId,
    request: input,
    serviceDate,
    neededBy,
    gender = null,
    answer,
    createWebhookSecret,
  } = seed;
  if (caller.mode === 'test') return { kind: 'beyond_reach' };
  if (judgeAnswer(answer, []).length === 0) return { kind: 'no_right_answer' };
  await ensureKnownAnswersAccount(store, createWebhookSecret);
  return store.db.transaction().execute(async (trx): Promise<Seeded> => {
    const asAccount = { ...caller, accountId: KNOWN_ANSWERS_ACCOUNT_ID };
    const [inserted] = await insertRequests({ ...store, db: trx }, [
      { caller: asAccount, payerId, input, idempotencyKey: null, serviceDate, neededBy, gender },
    ]);
    if (inserted?.kind !== 'created' || inserted.request.request_id === null)
      throw new Error('A request without an idempotency key is created.');
    const { request_id: id, state } = inserted.request;
    const { seeded_at: seededAt } = await trx
      .insertInto('known_answer')
      .values({
        request_id: id,
        seeded_by: caller.keyId,
        answer: await store.vault.encrypt(
          { accountId: KNOWN_ANSWERS_ACCOUNT_ID },
          knownAnswerPlace(id),
          JSON.stringify(answer),
        ),
      })
      .returning('seeded_at')
      .executeTakeFirstOrThrow();
    await recordAccess(trx, { caller, operation: 'knownAnswers.create', requestIds: [id] });
    return {
      kind: 'seeded',
      seeded: {
        request_id: id,
        payer: input.payer_info.name,
        patient_initials: initialsOf(input.patient_info.name),
        state,
        answer,
        seeded_at: seededAt.toISOString(),
        seeded_by: caller.keyId,
        seeded_by_name: caller.by?.name ?? null,
      },
    };
  });
}

/** Where the answer of a request is encrypted. */
export const knownAnswerPlace = (requestId: string): string => `known_answer.answer:${requestId}`;

/** In a transaction of its own: the vault finds no data key that is not committed. */
async function ensureKnownAnswersAccount(
  { db, vault }: Store,
  createWebhookSecret: () => string,
): Promise<void> {
  const find = (inside: Store['db']) =>
    inside.selectFrom('account').select('id').where('id', '=', KNOWN_ANSWERS_ACCOUNT_ID).executeTakeFirst();
  if (await find(db)) return;
  await db.transaction().execute(async (trx) => {
    await sql`select pg_advisory_xact_lock(${LOCKS.defaultAccount}::bigint)`.execute(trx);
    if (await find(trx)) return;
    await insertAccount(trx, vault, KNOWN_ANSWERS_ACCOUNT_ID, {
      name: 'Known answers',
      kind: 'provider',
      mode: 'live',
      webhookSecret: createWebhookSecret(),
    });
  });
}
