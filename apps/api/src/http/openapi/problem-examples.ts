import { type ProblemCode, PROBLEMS } from '@insurance-verification/schema';
import type { ZodOpenApiComponentsObject } from 'zod-openapi';
import { problemBody, ProblemError } from '../../procedure/problem/problem.ts';

/** Problems that no documented operation answers: unknown addresses and methods, tRPC's batches, the console. */
const UNDOCUMENTED: ReadonlySet<ProblemCode> = new Set([
  'method_not_allowed',
  'idempotency_key_on_batch',
  'signed_out',
  'link_not_valid',
  'cross_site',
  'fresh_sign_in_required',
  'passkey_refused',
]);

const CODES = Object.keys(PROBLEMS) as ProblemCode[];

/** The id that finds a failed call's log line. */
const TRACE = '2f1b8a52-7c1d-4b0e-9a4e-6f3f0d1c2b3a';

/** An example of every problem to refer to, except `forbidden`, which names its operation's scopes. */
export function problemExamples(): NonNullable<ZodOpenApiComponentsObject['examples']> {
  return Object.fromEntries(
    CODES.filter((code) => code !== 'forbidden' && !UNDOCUMENTED.has(code)).map((code) => [
      code,
      { summary: PROBLEMS[code].title, value: problemBody(new ProblemError(code), TRACE) },
    ]),
  );
}
