import type { Hint, LimitPolicy, OperationName, ProblemCode, Scope } from '@insurance-verification/schema';
import type * as z from 'zod';

/** What a procedure declares besides its input, output and handler. */
export interface Meta<Name extends OperationName = OperationName> {
  /** The operation; `OPERATIONS` has its route and its scopes. */
  readonly operation: Name;
  /** Its texts in the document. */
  readonly openapi: { readonly summary: string; readonly description: string; readonly tags: string[] };
  /**
   * What consoles show that a call which succeeds may have changed; each mutation says it. Empty where only the caller's
   * own page shows it, which knows.
   */
  readonly changes?: readonly Change[];
  /** Whether `verify` reaches only the caller's own work here: what it leases, or worked on within a day. */
  readonly ownWork?: boolean;
  /** Whether it is about the caller itself: then it counts as a read, so that read-only callers may call it too. */
  readonly ofCaller?: boolean;
  /** The policy that counts its calls, for callers with a key. */
  readonly limit?: LimitPolicy;
  /** For an operation without scopes: a caller without this scope is a stranger, and counted by this policy. */
  readonly strangers?: { readonly unlessScope: Scope; readonly limit: 'anonymous-output' };
  /** The problems it can answer besides those of every operation. */
  readonly problems?: readonly ProblemCode[];
  /** The REST body where it is not the whole input, because the path holds part of it. */
  readonly body?: z.ZodObject;
  /** Whether test accounts are told which members of the input it does not know. */
  readonly reportsIgnoredMembers?: boolean;
  /** A valid body or query for the document. Without one, trying the operation there starts with empty strings. */
  readonly example?: unknown;
  /** Example answers of a successful call, named by what they show. */
  readonly answers: Readonly<Record<string, unknown>>;
}

/** `session`: a session ended or its person's roles changed, so that streams are looked at again. */
export type Change = Hint | 'session';
