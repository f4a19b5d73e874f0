import type { HeldLease, ProblemCode } from '@insurance-verification/schema';
import type { NotSecond } from '@insurance-verification/store';
import { ProblemError } from './problem.ts';

/**
 * The problem for each refusal of the store. Faults of an operation's own input are reported by its file instead, which
 * knows the fields.
 */
const PROBLEM_OF = {
  not_found: 'not_found',
  finished: 'request_finished',
  leased: 'request_leased',
  not_claimable: 'request_not_claimable',
  lease_lost: 'lease_lost',
  not_own_result: 'not_own_result',
  too_many_call_backs: 'too_many_call_backs',
  draft_changed: 'draft_changed',
  no_result: 'no_result',
  erased: 'request_erased',
  held: 'legal_hold',
  another_person_required: 'another_person_required',
  not_ready: 'result_not_ready',
  settled: 'held_output_settled',
  not_a_result: 'held_output_not_applicable',
  at_capacity: 'held_capacity_exceeded',
  own_account: 'locks_caller_out',
  locks_caller_out: 'locks_caller_out',
  another_admin_required: 'another_admin_required',
  link_not_valid: 'link_not_valid',
  too_many_rotations: 'rate_limited',
} as const satisfies Record<string, ProblemCode>;

/** A refusal of the store. One without a row above does not compile where it is passed on. */
export interface Refusal {
  readonly kind: keyof typeof PROBLEM_OF;
  /** When a retry may help, if the store knows. */
  readonly retryAfterSeconds?: number;
  /** Who works on the request, where that is why. */
  readonly lease?: HeldLease;
  /** The legal hold in the way. */
  readonly holdId?: string;
  /** Why the caller is not the second person. */
  readonly because?: NotSecond;
}

const NOT_SECOND: Readonly<Record<NotSecond, string>> = {
  asked_it: 'You asked for it, or a key of yours did; another person has to confirm it.',
  link_of_confirmer: 'Who asked for it was signed in by a link of yours; another person has to confirm it.',
  link_of_asker: 'You were signed in by a link of who asked for it; another person has to confirm it.',
  made_by_asker: 'Who asked for it added you, or the people who did; another person has to confirm it.',
};

/** Ends a call with the problem for the store's refusal. @throws {ProblemError} always. */
export function refuse({ kind, retryAfterSeconds, lease, holdId, because }: Refusal): never {
  const headers = retryAfterSeconds === undefined ? {} : { 'retry-after': String(retryAfterSeconds) };
  throw new ProblemError(PROBLEM_OF[kind], {
    headers,
    lease,
    ...(holdId !== undefined && { holdId }),
    ...(because && { because, detail: NOT_SECOND[because] }),
  });
}
