import { CompiledQuery, type Transaction } from 'kysely';
import pg from 'pg';
import type { Reach } from '../access/reach.ts';
import { type Access, insertAccesses } from '../access/record-access.ts';
import { groupCommit } from '../commits/group-commit.ts';
import { isDatabaseUnavailable } from '../connection/is-database-unavailable.ts';
import type { Send } from '../connection/pipelined.ts';
import { DatabaseNotWritableError } from '../connection/primary.ts';
import { DirectHandoff } from '../delivery/direct-handoff.ts';
import { prepareExchanges } from '../evidence/x12-exchange.ts';
import { type LockedRequest, lockRequests } from '../intake/lock-request.ts';
import { isIssuedId } from '../issued-id.ts';
import type { Store } from '../open-store.ts';
import type { Tables } from '../tables/tables.ts';
import { type Application, prepareFindings } from './apply-findings.ts';

/** What a caller wants decided about a request, under its lock. */
export interface Question<Answer> {
  readonly requestId: string | null;
  readonly reach: Reach;
  /** The texts that it may store, in characters; a long one does not share a commit. */
  readonly length: number;
  /** It writes more than a result: it is known to be decided singly. */
  readonly isSingle?: boolean;
  /**
   * Decides by what the lock has read; null where no such request is within reach. It may be called again in another
   * transaction, so it changes nothing itself.
   */
  readonly decide: (locked: LockedRequest | null) => Decision<Answer> | Promise<Decision<Answer>>;
}

export type Decision<Answer> =
  /** The finding becomes the next result. */
  | { readonly kind: 'apply'; readonly application: Application; readonly answer: Answer }
  /** Nothing changes. `access` is recorded. */
  | { readonly kind: 'answer'; readonly answer: Answer; readonly access?: Access | undefined }
  /** Statements of its own decide, in a transaction of its own: it is held, or compared with what was stored before. */
  | { readonly kind: 'single'; readonly run: (trx: Transaction<Tables>) => Promise<Answer> };

/** Characters above which a question is decided singly: 64 of the longest in one statement would be half a gigabyte. */
const SHARED_LENGTH_MAX = 65_536;

/**
 * Decides a question in one commit with others that are asked at the same time: one round trip locks all their requests,
 * one applies what was decided, and one flush makes it durable.
 *
 * No caller waits for another's lock, and none fails for another. A question is decided again, in a transaction of its
 * own that waits for the lock, if its request is locked by another transaction, or named by an earlier question of the
 * same commit; if its own decision throws, or is `single`; and if the commit with others fails. It is also asked again
 * where the connection was lost during the commit, so that its outcome is unknown: the answer is then what the request's
 * current result says.
 *
 * While the database is unavailable all questions that wait fail at once.
 */
export async function decideTogether<Answer>(store: Store, question: Question<Answer>): Promise<Answer> {
  const { requestId, length, isSingle } = question;
  const mayShare =
    isSingle !== true && length <= SHARED_LENGTH_MAX && requestId !== null && isIssuedId('req', requestId);
  // The queue holds questions of any answer; each gets the answer of its own decision.
  const decided = mayShare ? ((await queueOf(store)(question)) as Decided<Answer>) : null;
  return decided ? decided.answer : decideSingly(store, question);
}

/** The answer of a committed decision. */
interface Decided<Answer> {
  readonly answer: Answer;
}

type Queue = (question: Question<unknown>) => Promise<Decided<unknown> | null>;

const queues = new WeakMap<Store, Queue>();

function queueOf(store: Store): Queue {
  const known = queues.get(store);
  if (known) return known;
  const queue = groupCommit({
    commit: (questions: readonly Question<unknown>[]) => decideGroup(store, questions),
    failsAll: isDatabaseUnavailable,
  });
  queues.set(store, queue);
  return queue;
}

/** @returns null for each question that is to be decided singly: nothing was done about it, or its outcome is unknown. */
async function decideGroup(
  store: Store,
  questions: readonly Question<unknown>[],
): Promise<readonly (Decided<unknown> | null)[]> {
  try {
    return await decideInOne(store, questions, { waits: false });
  } catch (err) {
    if (!(err instanceof UnknownOutcomeError) && (isUnavailable(err) || questions.length === 1)) throw err;
    return questions.map(() => null);
  }
}

/** Decides a question in a transaction of its own, which waits for the lock. As many run at once as the pool has connections. */
function decideSingly<Answer>(store: Store, question: Question<Answer>): Promise<Answer> {
  return store.finishing(async () => {
    const once = async () => {
      const [decided] = await decideInOne(store, [question], { waits: true });
      if (!decided) throw new Error('A question that waits is decided.');
      return decided.answer as Answer;
    };
    try {
      return await once();
    } catch (err) {
      if (err instanceof UnknownOutcomeError) return once();
      throw err;
    }
  });
}

/** The connection was lost during a commit. */
class UnknownOutcomeError extends Error {}

/** Whether a failure also hits the questions that wait; a deadlock hits only those of its own transaction. */
const isUnavailable = (err: unknown): boolean =>
  isDatabaseUnavailable(err) && !('code' in err && err.code === '40P01');

/**
 * Locks, decides and applies in one transaction, and hands deliveries to workers of this process after its commit.
 * @param waits decides every question, with the lock of its request; false skips what would wait, or is single.
 * @throws {UnknownOutcomeError} when the connection was lost during the commit.
 */
async function decideInOne(
  store: Store,
  questions: readonly Question<unknown>[],
  { waits }: { readonly waits: boolean },
): Promise<readonly (Decided<unknown> | null)[]> {
  const handoff = new DirectHandoff(store);
  const turn = { isCommitting: false };
  try {
    const decided = waits
      ? await store.db.transaction().execute(async (trx) => {
          const send = async (statement: CompiledQuery) => (await trx.executeQuery(statement)).rows;
          const inTurn: Send = async (...statements) => {
            const rows: unknown[] = [];
            for (const statement of statements) rows.push(await send(statement));
            return rows as never;
          };
          return decideBy(store, { send: inTurn, trx, handoff, turn }, questions);
        })
      : await store.pipelined((send) => decideBy(store, { send, trx: null, handoff, turn }, questions));
    await handoff.settle();
    return decided;
  } catch (err) {
    handoff.abandon();
    throw turn.isCommitting && isConnectionLost(err)
      ? new UnknownOutcomeError('The connection was lost during a commit.', { cause: err })
      : err;
  }
}

/** Whether a statement's own outcome is unknown, unlike that of one which the server refused. */
const isConnectionLost = (err: unknown): boolean =>
  isDatabaseUnavailable(err) &&
  !(err instanceof DatabaseNotWritableError) &&
  !(err instanceof pg.DatabaseError && err.severity === 'ERROR');

interface Deciding {
  readonly send: Send;
  /** A transaction that waits for locks; null in one with others, which begins and commits here. */
  readonly trx: Transaction<Tables> | null;
  readonly handoff: DirectHandoff;
  readonly turn: { isCommitting: boolean };
}

const BEGIN = CompiledQuery.raw('begin');
const COMMIT = CompiledQuery.raw('commit');

async function decideBy(
  store: Store,
  { send, trx, handoff, turn }: Deciding,
  questions: readonly Question<unknown>[],
): Promise<readonly (Decided<unknown> | null)[]> {
  const waits = trx !== null;
  const first = firstOfEach(questions);
  const asked = [...first].map(([requestId, { reach }]) => ({ requestId, reach }));
  const lock = lockRequests(asked, { waits });
  const rows = waits ? (asked.length > 0 ? (await send(lock))[0] : []) : (await send(BEGIN, lock))[1];
  const locked = new Map<Question<unknown>, LockedRequest | null>();
  // A question that is missing is not the first of its request, or would have to wait.
  if (waits) for (const question of questions) locked.set(question, null);
  for (const row of rows) {
    const question = first.get(row.id);
    if (question) locked.set(question, row);
  }
  const decisions = await Promise.all(
    questions.map((question) => decide(question, locked.get(question), waits)),
  );
  const applications = decisions.flatMap((one) => (one?.kind === 'apply' ? one.application : []));
  const accesses = decisions.flatMap((one) => (one?.kind === 'answer' && one.access ? one.access : []));
  const exchanges = applications.flatMap(({ exchange }) => exchange ?? []);
  const findings = applications.length > 0 ? await prepareFindings(store, applications, handoff) : undefined;
  const evidence = exchanges.length > 0 ? [await prepareExchanges(store, exchanges)] : [];
  const record = accesses.length > 0 ? [insertAccesses(store.db, accesses).compile()] : [];
  turn.isCommitting = !waits;
  const [applied] = await send(
    ...(findings ? [findings.statement] : []),
    ...evidence,
    ...record,
    ...(waits ? [] : [COMMIT]),
  );
  findings?.noteApplied(applied as Parameters<typeof findings.noteApplied>[0]);
  const answers = [];
  for (const one of decisions)
    if (one?.kind === 'single') answers.push(trx && { answer: await one.run(trx) });
    else answers.push(one && { answer: one.answer });
  turn.isCommitting = true;
  return answers;
}

/** Returns the first question of each request; the others are decided after it. */
function firstOfEach(questions: readonly Question<unknown>[]): ReadonlyMap<string, Question<unknown>> {
  const first = new Map<string, Question<unknown>>();
  for (const question of questions) {
    const { requestId } = question;
    if (requestId !== null && isIssuedId('req', requestId) && !first.has(requestId))
      first.set(requestId, question);
  }
  return first;
}

/** @returns null for a question that is to be decided singly. */
async function decide(
  question: Question<unknown>,
  locked: LockedRequest | null | undefined,
  waits: boolean,
): Promise<Decision<unknown> | null> {
  if (locked === undefined) return null;
  try {
    return await question.decide(locked);
  } catch (err) {
    if (waits || isDatabaseUnavailable(err)) throw err;
    return null;
  }
}
