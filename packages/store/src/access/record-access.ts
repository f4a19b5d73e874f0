import type { OperationName } from '@insurance-verification/schema';
import type { Store } from '../open-store.ts';
import type { Caller } from './caller.ts';

/**
 * The values of `access_log.operation`: an operation's name, a sign-in or sign-out, or an action of the service itself
 * or at its own machine.
 */
export type RecordedOperation =
  | OperationName
  | 'work.expire'
  | 'audit.drop'
  | 'audit.resume'
  | 'keys.replaceFirst'
  | 'sessions.signIn'
  | 'sessions.signOut';

/** One line of `access_log`. */
export interface Access {
  readonly caller: Pick<Caller, 'keyId' | 'accountId'> | null;
  readonly operation: RecordedOperation;
  readonly requestIds?: readonly string[];
  /** The account, key, person, session or held output that was affected or created. */
  readonly subjectId?: string;
}

/**
 * Records who did or saw what. Append-only; a list read is one line per request seen, or a single line if it was empty.
 */
export function recordAccess(db: Store['db'], access: Access): Promise<void> {
  return recordAccesses(db, [access]);
}

/** Records several accesses in one statement. */
export async function recordAccesses(db: Store['db'], accesses: readonly Access[]): Promise<void> {
  const lines = accesses.flatMap(({ caller, operation, requestIds, subjectId }) => {
    const line = {
      key_id: caller?.keyId ?? null,
      account_id: caller?.accountId ?? null,
      operation,
      subject_id: subjectId ?? null,
    };
    const about: readonly (string | null)[] = requestIds?.length ? requestIds : [null];
    return about.map((request_id) => ({ ...line, request_id }));
  });
  if (lines.length > 0) await db.insertInto('access_log').values(lines).execute();
}
