import { toValidationErrors } from '@insurance-verification/schema';
import {
  isDatabaseUnavailable,
  recordRefusedSignIn,
  type RefusedSignIn,
  type Store,
} from '@insurance-verification/store';
import type { ParameterizedContext } from 'koa';
import type * as z from 'zod';
import { allowBody } from '../body/body-memory.ts';
import { bodyMissing, readJsonBody } from '../body/read-body.ts';
import { hasOwnOrigin, isHttps, isThisMachine } from '../network/own-pages.ts';
import type { CallState } from '../procedure/context/app.ts';
import { outlineOf } from '../procedure/outline.ts';
import { ProblemError, ValidationFailedError } from '../procedure/problem.ts';
import { unknownMemberFaults } from '../procedure/unknown-members.ts';
import type { Log } from '../telemetry/log.ts';

type ConsoleContext = ParameterizedContext<CallState>;

const NO_FORM_TYPE = /^(?:application\/(?:json|x-ndjson)|text\/csv)\s*(?:;|$)/i;

/**
 * Restricts a call to the console's own pages. The browser sends the cookie whichever page made the call, so headers
 * that no page can write must show that it was one of ours; POST must have a type that a form cannot send: JSON, or that of a batch's file; and the
 * Host must be ours.
 * @throws {ProblemError} `cross_site`
 */
export function requireSameOrigin(koa: ConsoleContext): void {
  requireOwnHost(koa);
  const { method, headers } = koa.req;
  const { 'sec-fetch-site': site, 'content-type': type } = headers;
  const own = koa.state.context.app.config.publicUrl;
  const isOurs = site === undefined ? hasOwnOrigin(headers, own) : site === 'same-origin';
  const isNoForm = method !== 'POST' || (type !== undefined && NO_FORM_TYPE.test(type));
  if (!isOurs || !isNoForm) throw new ProblemError('cross_site');
}

/**
 * Requires that the call came to an address of ours: a name that temporarily leads here makes any page same-origin (DNS
 * rebinding).
 * @throws {ProblemError} `cross_site`
 */
export function requireOwnHost(koa: ConsoleContext): void {
  const { host = '' } = koa.req.headers;
  const own = koa.state.context.app.config.publicUrl;
  if (host !== own?.host && (isHttps(own) || !isThisMachine(host))) throw new ProblemError('cross_site');
}

/**
 * Reads and validates the body of an unauthenticated call; as in any input of ours, an unknown member is a fault. A body
 * with faults counts as a refused try to sign in.
 * @param bytesMax maximum bytes of the body.
 * @throws {ValidationFailedError} when it does not conform.
 * @throws {ProblemError} `payload_too_large`, `rate_limited`
 */
export async function readAnonymousBody<T>(
  koa: ParameterizedContext<CallState>,
  schema: z.ZodObject & z.ZodType<T>,
  bytesMax: number,
): Promise<T> {
  koa.state.context.call.anonymousBytesMax = bytesMax;
  const given = await readJsonBody(koa.req, allowBody(koa.state.context), () => outlineOf(schema));
  if (given === undefined || given === null) throw bodyMissing();
  const { data, error } = schema.safeParse(given);
  const unknown = unknownMemberFaults(schema, given, (path) => ['body', ...path]);
  if (!error && unknown.length === 0) return data;
  await koa.state.context.app.limiter.countRefusedSignIn(koa.state.context.call);
  throw new ValidationFailedError([...toValidationErrors(error?.issues ?? [], given), ...unknown]);
}

/** Lines a minute of this process: anonymous senders may try all day, and the audit is permanent. */
const LINES_PER_MINUTE = 60;

const MINUTE_MS = 60_000;

/**
 * Writes refused sign-ins to the audit, up to a number a minute; more than that are only logged. An address also has
 * ten tries a minute (`sign-in`).
 */
export function createRefusalRecord(store: Store, log: Log): (refused: RefusedSignIn) => Promise<void> {
  let minute = { at: Number.NEGATIVE_INFINITY, count: 0 };
  return async (refused) => {
    const now = performance.now();
    if (now - minute.at > MINUTE_MS) minute = { at: now, count: 0 };
    minute.count += 1;
    if (minute.count === LINES_PER_MINUTE + 1)
      log.warn({ lines: LINES_PER_MINUTE }, 'more sign-ins are refused than the audit takes in a minute');
    if (minute.count > LINES_PER_MINUTE) return;
    await recordRefusedSignIn(store, refused).catch((err: unknown) => {
      // The person is refused all the same.
      if (!isDatabaseUnavailable(err)) throw err;
      log.warn({ err }, 'a refused sign-in could not be put into the audit');
    });
  };
}
