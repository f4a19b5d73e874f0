import { doubtfulMembers, type RequestInfo, type ValidationError } from '@insurance-verification/schema';
import {
  insertRequests,
  isDatabaseUnavailable,
  type NewRequest,
  replayRequest,
  type Route,
  type Store,
  groupCommit,
} from '@insurance-verification/store';
import type { UrlRefusal } from '@insurance-verification/webhook';
import { LRUCache } from 'lru-cache';
import type { App, Context, IdempotencyGate, RequestInserter } from '../procedure/context/app.ts';
import { ProblemError, ValidationFailedError } from '../procedure/problem.ts';
import type { Handler } from '../procedure/procedure.ts';
import { refuse } from '../procedure/refuse.ts';
import { echoAskedWhen, readAskedWhen } from './asked-when.ts';

/** Stores a request and answers it as pending. With an `Idempotency-Key` a retry gets the first answer again. */
export const createRequest: Handler<'requests.create'> = async ({ ctx, input }) => {
  const { caller } = ctx;
  // Escaped, a body takes three times its bytes at most.
  if (ctx.call.bodyByteCount > REQUEST_BYTES_MAX / 4 && isTooLarge(input))
    throw new ProblemError('payload_too_large', { headers: { connection: 'close' } });
  const when = readAskedWhen(ctx.call);
  const fault = faultOfCallback(ctx, input.callback_url) ?? when.fault;
  const idempotencyKey = readIdempotencyKey(ctx.call.idempotencyKey);
  const payerId = ctx.app.config.payers.idOf(input.payer_info.name);
  const { serviceDate, neededBy, gender } = when;
  const request = { caller, payerId, input, idempotencyKey, serviceDate, neededBy, gender };
  const inserted = await ctx.app.idempotencyGate.pass(caller, idempotencyKey, () =>
    fault === null ? ctx.app.insertRequest(request) : replayOr(fault, ctx.app.store, request),
  );
  if (inserted.kind === 'idempotency_key_reused') throw idempotencyKeyReused();
  if (inserted.kind === 'erased') return refuse(inserted);
  if (inserted.kind === 'replayed') ctx.call.setHeader('Idempotency-Replayed', 'true');
  else {
    ctx.app.metrics.requestsReceived.inc({ payer: payerId });
    ctx.app.wakeVerification();
  }
  echoAskedWhen(ctx.call);
  if (caller.mode === 'test') notifyOfDoubts(ctx, input);
  ctx.call.concerns(inserted.request.request_id ?? '', { isFirst: inserted.kind === 'created' });
  return inserted.request;
};

/** Bytes of a request as JSON in ASCII. Its output repeats it, and has to fit into a body of `MAX_BODY_BYTES`. */
const REQUEST_BYTES_MAX = 131_072;

/** Warns a developer of a test account of values that no payer would know. */
function notifyOfDoubts({ call }: Context, input: RequestInfo): void {
  const doubtful = doubtfulMembers(input, new Date().toISOString().slice(0, 10));
  if (doubtful.length > 0) call.setHeader('Doubtful-Members', doubtful.join(', '));
}

/** Whether a request is larger than the service accepts. */
export const isTooLarge = (input: RequestInfo): boolean => asciiBytesOf(input) > REQUEST_BYTES_MAX;

/** Bytes of a value as JSON in which each UTF-16 unit beyond ASCII is `\uXXXX`: the longest that an encoder makes of it. */
function asciiBytesOf(value: unknown): number {
  const text = JSON.stringify(value);
  let count = text.length;
  for (let index = 0; index < text.length; index += 1) if (text.charCodeAt(index) > 127) count += 5;
  return count;
}

/** A retry of what was stored once gets its first answer, though the same would be refused today. */
async function replayOr(fault: Error, store: Store, request: NewRequest) {
  const first = await replayRequest(store, request);
  if (first.kind === 'not_stored') throw fault;
  return first;
}

export const IDEMPOTENCY_KEY = ['header', 'idempotency-key'];

/** The validated header; null when it was not sent. @throws {ValidationFailedError} */
export function readIdempotencyKey(header: string | undefined): string | null {
  if (header === undefined) return null;
  if (/^[\x20-\x7e]{1,255}$/.test(header)) return header;
  throw new ValidationFailedError([
    {
      loc: IDEMPOTENCY_KEY,
      msg: 'Value should be 1 to 255 printable characters',
      type: 'string_pattern_mismatch',
    },
  ]);
}

/** The key was used with another body, or with other headers that say what is asked and by when. */
function idempotencyKeyReused(): ValidationFailedError {
  return new ValidationFailedError([
    {
      loc: IDEMPOTENCY_KEY,
      msg: 'This Idempotency-Key was used with another body',
      type: 'idempotency_key_reused',
    },
  ]);
}

const REFUSALS: Record<UrlRefusal, string> = {
  not_https: "URL scheme should be 'https': this service calls no other",
  no_port: 'URL port should not be 0: nothing can listen there',
  blocked_address: 'URL should lead to a public address: this service calls no other',
};

/**
 * Why a callback address can never be called, as far as that is known without a DNS look-up; null when it may be. In
 * production such a request is refused, since its result could never arrive. Elsewhere it is accepted, as broadly as
 * the contract allows, for trials with whatever address is at hand: each attempt then ends as this answer's header says.
 */
export function faultOfCallback(
  { app, call }: Context,
  url: string,
  field = 'callback_url',
): ValidationFailedError | null {
  const blocked = blockedCallback(app, url, field);
  if (!blocked) return null;
  if (app.config.production) return new ValidationFailedError([blocked.fault]);
  call.setHeader('Callback-Url-Blocked', blocked.refusal);
  return null;
}

/** Why an address can never be called, as far as that is known without a DNS look-up; null when it may be. */
export function blockedCallback(
  app: App,
  url: string,
  field: string,
): { readonly refusal: UrlRefusal; readonly fault: ValidationError } | null {
  const refusal = app.checkCallback(url);
  if (refusal === null) return null;
  return { refusal, fault: { loc: ['body', field], msg: REFUSALS[refusal], type: 'callback_url_blocked' } };
}

/**
 * Requests that arrive together share a statement. While the database is away, queued ones would wait in vain as long:
 * all fail at once, within 2 seconds.
 */
export function createRequestInserter(store: Store, routes: readonly Route[]): RequestInserter {
  return groupCommit({
    commit: (requests: readonly NewRequest[]) => insertRequests(store, requests, { routes }),
    failsAll: isDatabaseUnavailable,
  });
}

/** Keys remembered as settled: their first call is over. A forgotten key may get a needless 409, no more. */
const SETTLED_COUNT_MAX = 50_000;

export function createIdempotencyGate(): IdempotencyGate {
  const running = new Set<string>();
  // Retries of a finished call only read, so any number may pass at once; otherwise they would refuse each other.
  const settled = new LRUCache<string, true>({ max: SETTLED_COUNT_MAX });
  const passOnce = async <T>(name: string, work: () => Promise<T>): Promise<T> => {
    if (settled.has(name)) return work();
    if (running.has(name)) throw new ProblemError('idempotency_in_progress');
    running.add(name);
    try {
      const answer = await work();
      settled.set(name, true);
      return answer;
    } finally {
      running.delete(name);
    }
  };
  return {
    pass: ({ accountId }, key, work) => (key === null ? work() : passOnce(`${accountId} ${key}`, work)),
  };
}
