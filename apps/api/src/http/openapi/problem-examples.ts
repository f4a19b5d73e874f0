import { type ProblemCode, PROBLEMS } from '@insurance-verification/schema';
import type { ZodOpenApiComponentsObject } from 'zod-openapi';
import { problemBody, ProblemError } from '../../procedure/problem/problem.ts';

/** What no operation of the document answers: addresses and methods that it does not have, tRPC's batches, the console. */
const UNDOCUMENTED: ReadonlySet<ProblemCode> = new Set([
  'method_not_allowed',
  'idempotency_key_on_batch',
  'signed_out',
  'link_not_valid',
  'cross_site',
]);

const CODES = Object.keys(PROBLEMS) as ProblemCode[];

/** What a failed call's log line would be found by. */
const TRACE = '2f1b8a52-7c1d-4b0e-9a4e-6f3f0d1c2b3a';

/** An example of every problem, but of `forbidden`, which names the scopes of its operation, to be referred to. */
export function problemExamples(): NonNullable<ZodOpenApiComponentsObject['examples']> {
  return Object.fromEntries(
    CODES.filter((code) => code !== 'forbidden' && !UNDOCUMENTED.has(code)).map((code) => [
      code,
      { summary: PROBLEMS[code].title, value: problemBody(new ProblemError(code), TRACE) },
    ]),
  );
}
