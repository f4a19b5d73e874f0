import type { AppRouter } from '@insurance-verification/client';
import type { Problem, Scope, ValidationError } from '@insurance-verification/schema';
import { isTRPCClientError } from '@trpc/client';
import { WORDS_FOR_PEOPLE } from './words-for-people.ts';

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
  /** The scopes of which any one is enough; empty unless `forbidden`. */
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

export function failureOf(err: unknown): Failure {
  const none = { code: undefined, trace: undefined, scopes: [], lease: undefined, faults: [] };
  if (!isTRPCClientError<AppRouter>(err))
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
