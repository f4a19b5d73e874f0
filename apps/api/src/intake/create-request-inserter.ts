import {
  type InsertedRequest,
  insertRequests,
  isDatabaseUnavailable,
  type NewRequest,
  type Store,
} from '@insurance-verification/store';

/** Stores one request; rejects when it was not stored, or when that is not known. */
export type RequestInserter = (request: NewRequest) => Promise<InsertedRequest>;

interface Waiting {
  readonly request: NewRequest;
  readonly resolve: (inserted: InsertedRequest) => void;
  readonly reject: (err: unknown) => void;
}

/** Rows in one statement. Beyond this the statement grows, the gain does not. */
const BATCH_COUNT_MAX = 64;

/**
 * Group commit: a request that finds no statement under way goes at once and alone; those that arrive meanwhile wait
 * for the next one and share its round trip, its plan and its flush to disk. Nobody waits for a timer, and nobody is
 * answered before the commit. One statement at a time: two halve the batches, and cost the database twice the work a
 * row at 16 connections (190 µs against 380).
 */
export function createRequestInserter(store: Store): RequestInserter {
  const waiting: Waiting[] = [];
  let isInserting = false;

  const insertNext = async (): Promise<void> => {
    isInserting = true;
    const batch = waiting.splice(0, BATCH_COUNT_MAX);
    try {
      const inserted = await insertRequests(
        store,
        batch.map(({ request }) => request),
      );
      for (const [index, { resolve, reject }] of batch.entries()) {
        const answer = inserted[index];
        if (answer) resolve(answer);
        else reject(new Error('insertRequests answered fewer requests than it was given.'));
      }
    } catch (err) {
      // While the database is away the next statement would wait as long in vain: all are told now, within 2 seconds.
      const failed = isDatabaseUnavailable(err) ? [...batch, ...waiting.splice(0)] : batch;
      for (const { reject } of failed) reject(err);
    }
    if (waiting.length > 0) void insertNext();
    else isInserting = false;
  };

  return (request) =>
    new Promise((resolve, reject) => {
      waiting.push({ request, resolve, reject });
      if (!isInserting) void insertNext();
    });
}
