import { toValidationErrors } from '@insurance-verification/schema';
import type { ParameterizedContext } from 'koa';
import type * as z from 'zod';
import { allowBody } from '../body/allow-body.ts';
import { bodyMissing, readJsonBody } from '../body/read-json-body.ts';
import type { CallState } from '../procedure/context/context.ts';
import { outlineOf } from '../procedure/outline.ts';
import { ValidationFailedError } from '../procedure/problem/problem.ts';
import { unknownMemberFaults } from '../procedure/unknown-members.ts';

/**
 * Reads and validates the body of an unauthenticated call; as in any input of ours, an unknown member is a fault. A body
 * with faults counts as a refused try to sign in.
 * @param bytesMax maximum bytes of the body.
 * @throws {ValidationFailedError} when it does not conform.
 * @throws {ProblemError} `payload_too_large`, `rate_limited`
 */
export async function readStrangersBody<T>(
  koa: ParameterizedContext<CallState>,
  schema: z.ZodObject & z.ZodType<T>,
  bytesMax: number,
): Promise<T> {
  koa.state.context.call.strangerBytesMax = bytesMax;
  const given = await readJsonBody(koa.req, allowBody(koa.state.context), () => outlineOf(schema));
  if (given === undefined || given === null) throw bodyMissing();
  const { data, error } = schema.safeParse(given);
  const unknown = unknownMemberFaults(schema, given, (path) => ['body', ...path]);
  if (!error && unknown.length === 0) return data;
  await koa.state.context.app.limiter.countRefusedSignIn(koa.state.context.call);
  throw new ValidationFailedError([...toValidationErrors(error?.issues ?? [], given), ...unknown]);
}
