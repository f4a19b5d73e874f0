import type { ErasureCertificate, OperationName } from '@insurance-verification/schema';
import type { Store } from '../open-store.ts';
import type { Actor } from './caller.ts';

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
  readonly caller: {
    readonly keyId: string | null;
    readonly accountId: string | null;
    readonly by?: Actor | undefined;
  } | null;
  readonly operation: RecordedOperation;
  readonly requestIds?: readonly string[];
  /** The account, key, person, session or held output that was affected or created. */
  readonly subjectId?: string;
  /** Default: done. */
  readonly outcome?: 'done' | 'refused';
  readonly details?: AccessDetails;
}

/** What a line says about what was done. Never a patient's data: the log is permanent. */
export type AccessDetails =
  /** What was set. `before`: null where it was made. */
  | { readonly before: Settings | null; readonly after: Settings }
  /**
   * Why emergency access was taken, sealed, base64; and whether with a fresh sign-in, null where a key took it.
   */
  | { readonly reason: string; readonly is_fresh: boolean | null }
  /** What an erasure did. */
  | { readonly certificate: ErasureCertificate }
  /** How somebody tried to sign in, and why they were refused. */
  | { readonly way: SignInWay; readonly refusal: string };

/** How a person signs in. */
export type SignInWay = 'link' | 'provider' | 'passkey';

type Settings = Readonly<Record<string, unknown>>;

/** The columns of `access_log` that say who acts, for the statements that write lines of their own. */
export const actorColumns = (by: Actor | undefined) => ({
  actor_name: by?.name == null ? null : JSON.stringify(by.name),
  session_id: by?.sessionId ?? null,
  address: by?.address ?? null,
  emergency: by?.isEmergency ?? false,
});

/**
 * Records who did or saw what. Append-only; a list read is one line per request seen, or a single line if it was empty.
 */
export function recordAccess(db: Store['db'], access: Access): Promise<void> {
  return recordAccesses(db, [access]);
}

/** Records several accesses in one statement. */
export async function recordAccesses(db: Store['db'], accesses: readonly Access[]): Promise<void> {
  const lines = accesses.flatMap(
    ({ caller, operation, requestIds, subjectId, outcome = 'done', details }) => {
      const line = {
        key_id: caller?.keyId ?? null,
        account_id: caller?.accountId ?? null,
        operation,
        subject_id: subjectId ?? null,
        ...actorColumns(caller?.by),
        outcome,
        details: details === undefined ? null : JSON.stringify(details),
      };
      const about: readonly (string | null)[] = requestIds?.length ? requestIds : [null];
      return about.map((request_id) => ({ ...line, request_id }));
    },
  );
  if (lines.length > 0) await db.insertInto('access_log').values(lines).execute();
}
