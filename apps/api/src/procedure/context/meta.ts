import type { LimitPolicy, ProblemCode, Scope } from '@insurance-verification/schema';
import type { OpenApiMeta } from 'trpc-to-openapi';
import type * as z from 'zod';

/** What a procedure declares beside its input, output and handler. */
export interface Meta<Scopes extends readonly Scope[] = readonly Scope[]> {
  /** Its REST route, and what the document says of it. */
  readonly openapi: NonNullable<OpenApiMeta['openapi']> & {
    readonly summary: string;
    readonly description: string;
  };
  /** A key needs one of these. Empty: no key is needed, and a wrong one counts as none. */
  readonly scopes: Scopes;
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
