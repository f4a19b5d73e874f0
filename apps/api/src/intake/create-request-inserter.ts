import { type InsertedRequest, insertRequests, type NewRequest, type Store } from '@insurance-verification/store';

/** Stores one request; rejects when it was not stored, or when that is not known. */
export type RequestInserter = (request: NewRequest) => Promise<InsertedRequest>;

interface Waiting {
  readonly request: NewRequest;
  readonly resolve: (inserted: InsertedRequest) => void;
  readonly reject: (err: unknown) => void;
}

/** Rows in one statement. Beyond this the statement grows, the gain does not. */
const BATCH_COUNT_MAX = 64;

/** Statements under way at once. Two keep the database busy while the next batch gathers. */
const STATEMENT_COUNT_MAX = 2;

/**
 * Group commit: a request that finds a statement free goes at once and alone; those that arrive while all are under
 * way wait for the next and share its round trip and its flush to disk. Nobody waits for a timer, and nobody is
 * answered before the commit.
 */
export function createRequestInserter(store: Store): RequestInserter {
  const waiting: Waiting[] = [];
  let statementCount = 0;

  const insertNext = async (): Promise<void> => {
    const batch = waiting.splice(0, BATCH_COUNT_MAX);
    statementCount += 1;
    try {
      const inserted = await insertRequests(store, batch.map(({ request }) => request));
      for (const [index, { resolve, reject }] of batch.entries()) {
        const answer = inserted[index];
        if (answer) resolve(answer);
        else reject(new Error('insertRequests answered fewer requests than it was given.'));
      }
    } catch (err) {
      for (const { reject } of batch) reject(err);
    } finally {
      statementCount -= 1;
      if (waiting.length > 0) void insertNext();
    }
  };

  return (request) =>
    new Promise((resolve, reject) => {
      waiting.push({ request, resolve, reject });
      if (statementCount < STATEMENT_COUNT_MAX) void insertNext();
    });
}
