import type { LimitPolicy, OperationName, ProblemCode, Scope } from '@insurance-verification/schema';
import type * as z from 'zod';

/** What a procedure declares beside its input, output and handler. */
export interface Meta<Name extends OperationName = OperationName> {
  /** Which operation it is: its route and its scopes are those of `OPERATIONS`. */
  readonly operation: Name;
  /** What the document says of it. */
  readonly openapi: { readonly summary: string; readonly description: string; readonly tags: string[] };
  /** Whether `verify` reaches here no more than the caller's own work: what it leases, or worked on within a day. */
  readonly ownWork?: boolean;
  /** Whether it is about the caller itself, so that whoever changes nothing else may call it as well. */
  readonly ofCaller?: boolean;
  /** The policy that counts its calls, for callers with a key. */
  readonly limit?: LimitPolicy;
  /** Of an operation without scopes: whoever has not this scope is a stranger, and counted by this policy. */
  readonly strangers?: { readonly unlessScope: Scope; readonly limit: 'anonymous-output' };
  /** What it can answer beside what every operation can. */
  readonly problems?: readonly ProblemCode[];
  /** The REST body where it is not the whole input, because the path holds a part of it. */
  readonly body?: z.ZodObject;
  /** Whether test accounts are told of the members of the input that it does not know. */
  readonly tellsIgnoredMembers?: boolean;
  /** A body or a query that conforms, for the document. Without one who tries the operation begins with empty strings. */
  readonly example?: unknown;
  /** Answers to a call that went well, by what they show. */
  readonly answers: Readonly<Record<string, unknown>>;
}
