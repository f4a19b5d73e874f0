import type { Store } from '../open-store.ts';
import type { Caller } from './caller.ts';

/** One line of `access_log`. Operations are named as their procedures are, for example `requests.get`. */
export interface Access {
  readonly caller: Pick<Caller, 'keyId' | 'accountId'> | null;
  readonly operation: string;
  readonly requestIds?: readonly string[];
  /** The account, key or held output that it was done to, or that it made. */
  readonly subjectId?: string;
}

/** Records who did or saw what. Append-only; a list read is one line per request seen, and one line when it was empty. */
export async function recordAccess(
  db: Store['db'],
  { caller, operation, requestIds, subjectId }: Access,
): Promise<void> {
  const line = {
    key_id: caller?.keyId ?? null,
    account_id: caller?.accountId ?? null,
    operation,
    subject_id: subjectId ?? null,
  };
  const about: readonly (string | null)[] = requestIds?.length ? requestIds : [null];
  await db
    .insertInto('access_log')
    .values(about.map((request_id) => ({ ...line, request_id })))
    .execute();
}
