import type { AppRouter, TrpcErrorData } from '@insurance-verification/client';
import type { Problem, Scope, ValidationError } from '@insurance-verification/schema';
import { isTRPCClientError } from '@trpc/client';

/** Why a call failed, as a page shows it. */
export interface Failure {
  /** `offline`: no answer came, so the same call may work in a moment. */
  readonly kind: 'offline' | 'signed_out' | 'forbidden' | 'not_found' | 'invalid' | 'problem';
  /** A sentence for the person. */
  readonly sentence: string;
  /** The problem's code; undefined where no problem came. */
  readonly code: Problem['code'] | undefined;
  /** The trace id of the call in the service's log; undefined below status 500. */
  readonly trace: string | undefined;
  /** The scopes, any one of them enough; empty unless `forbidden`. */
  readonly scopes: readonly Scope[];
  /** Who works on the request, where that is why; undefined elsewhere. */
  readonly lease: Problem['lease'];
  /** The faults by field; empty unless `invalid`. */
  readonly faults: readonly ValidationError[];
}

const KINDS: Readonly<Record<number, Failure['kind']>> = {
  401: 'signed_out',
  403: 'forbidden',
  404: 'not_found',
  422: 'invalid',
};

/** The failure of a call that is not one of tRPC's, such as a file that is sent. */
export class CallError extends Error {
  /** Null where no answer came. */
  readonly data: Pick<TrpcErrorData, 'httpStatus' | 'problem' | 'detail'> | null;

  constructor(data: CallError['data']) {
    super(`The service answered ${data?.httpStatus ?? 'nothing'}.`);
    this.data = data;
  }
}

export function failureOf(err: unknown): Failure {
  const none = { code: undefined, trace: undefined, scopes: [], lease: undefined, faults: [] };
  if (!(err instanceof CallError) && !isTRPCClientError<AppRouter>(err))
    return { ...none, kind: 'problem', sentence: 'Something on this page went wrong. Load it again.' };
  const { data } = err;
  if (!data?.httpStatus)
    return { ...none, kind: 'offline', sentence: 'The service does not answer. The connection may be down.' };
  const { code, detail } = data.problem ?? {};
  return {
    kind: KINDS[data.httpStatus] ?? 'problem',
    sentence: (code && WORDS_FOR_PEOPLE[code]) ?? detail ?? 'The service refused what was entered.',
    code,
    trace: data.problem?.request_trace,
    scopes: data.problem?.required_scopes ?? [],
    lease: data.problem?.lease,
    faults: data.detail ?? [],
  };
}

/** Milliseconds after which what had no answer at all is read again by itself. */
export const AGAIN_MS = 5_000;

/** Returns whether a failed read may be answered a moment later: nothing answered, or the service had a fault of its own. */
export function mayBeReadLater(err: unknown): boolean {
  const { kind, trace } = failureOf(err);
  return kind === 'offline' || trace !== undefined;
}

/**
 * Sentences for people, by problem code, in place of those that are written for programs (of headers, tokens and
 * fields).
 */
export const WORDS_FOR_PEOPLE: Readonly<Partial<Record<Problem['code'], string>>> = {
  internal: 'Something went wrong in the service. Try again in a moment.',
  unavailable: 'The service cannot answer at the moment. Try again in a moment.',
  rate_limited: 'That was too much at once. Wait a minute, then try again.',
  held_capacity_exceeded: 'No more outputs can be held at the moment. Apply or dismiss some, then try again.',
  idempotency_in_progress: 'The same request is being made already. Wait a moment, then try again.',
  locks_caller_out: 'This would lock you out yourself, so nothing was changed. Somebody else can do it.',
  another_admin_required:
    'You cannot extend your own access. Ask another administrator; nothing was changed.',
  not_own_result: 'Another result has replaced yours, so it cannot be corrected here. Nothing was changed.',
  too_many_call_backs:
    'You have 30 call-backs, as many as one person may have. Make one of them first, or release this request.',
  lease_lost: 'The request is not yours any more: your lease has ended. Nothing was changed.',
  request_not_claimable:
    'The request waits for a channel that is no person’s, or its payer takes no more work at once.',
  request_erased: 'The data of this request was erased. Nothing brings it back.',
  another_person_required:
    'Another person has to confirm it: not who asked, nor somebody whom they added or signed in by a link. Ask another person with the role privacy.',
  batch_ended:
    'This batch takes no more rows: it was canceled, or the rest of its file did not come within 24 hours.',
  payload_too_large: 'What was entered is larger than the service accepts.',
};
