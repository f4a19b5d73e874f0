import type { Problem } from '@insurance-verification/schema';

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
  lease_lost: 'The request is not yours any more: your lease has ended. Nothing was changed.',
  request_not_claimable:
    'The request waits for a channel that is no person’s, or its payer takes no more work at once.',
  request_erased: 'The data of this request was erased. Nothing brings it back.',
  another_person_required:
    'Another person has to confirm it: not who asked, nor somebody whom they added or signed in by a link. Ask another person with the role privacy.',
  payload_too_large: 'What was entered is larger than the service accepts.',
};
