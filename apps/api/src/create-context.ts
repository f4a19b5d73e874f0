import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { LiveKey, Store } from '@insurance-verification/store';
import type { Config } from './config.ts';
import type { Context } from './context.ts';
import type { PublicError } from './problem.ts';
import type { Services } from './services.ts';

/** What a call leaves behind for its log line. */
export interface CallRecord {
  caller: LiveKey | null;
  requestId: string | undefined;
  err: PublicError | undefined;
}

export interface Call {
  readonly context: Context;
  readonly record: CallRecord;
}

/** The context of one HTTP request; both doors make theirs here. */
export function createCall(
  base: Services & { readonly store: Store; readonly config: Config },
  req: IncomingMessage,
  setHeader: (name: string, value: string) => void,
): Call {
  const record: CallRecord = { caller: null, requestId: undefined, err: undefined };
  let caller: Promise<LiveKey | null> | undefined;
  const context: Context = {
    ...base,
    trace: randomUUID(),
    caller: () =>
      (caller ??= base.authenticator.authenticate(headerOf(req, 'x-key')).then((key) => (record.caller = key))),
    idempotencyKey: headerOf(req, 'idempotency-key'),
    setHeader,
    concerns: (requestId) => void (record.requestId = requestId),
    failed: (err) => void (record.err = err),
  };
  return { context, record };
}

function headerOf(req: IncomingMessage, name: string): string | undefined {
  const value = req.headers[name];
  return Array.isArray(value) ? value[0] : value;
}
