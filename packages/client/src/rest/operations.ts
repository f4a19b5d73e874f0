import type { AppRouter } from '../router.ts';

/** How an operation goes over REST. */
export interface Route {
  readonly method: 'GET' | 'POST';
  /** Input fields named in braces go into the path; the others into the query of a GET and the body of a POST. */
  readonly path: string;
  /** Whether the same call twice does what it does once. A create does, because of its Idempotency-Key. */
  readonly repeatable: boolean;
  /** False: its only argument is the options. */
  readonly takesInput?: false;
}

type Router = AppRouter['_def']['record'];

/** Every operation of the router; one that is missing here does not compile. */
export const OPERATIONS = {
  requests: {
    create: { method: 'POST', path: '/requests/', repeatable: true },
    list: { method: 'GET', path: '/requests/', repeatable: true },
    get: { method: 'GET', path: '/requests/{request_id}', repeatable: true },
    result: { method: 'GET', path: '/requests/{request_id}/result', repeatable: true },
    deliveries: { method: 'GET', path: '/requests/{request_id}/deliveries', repeatable: true },
    // While the first round is under way a second redelivery changes nothing; after it, the receiver knows the id.
    redeliver: { method: 'POST', path: '/requests/{request_id}/redeliver', repeatable: true },
    // Again would answer 409, as if someone else had finished the request.
    close: { method: 'POST', path: '/requests/{request_id}/close', repeatable: false },
    attempts: { method: 'GET', path: '/requests/{request_id}/attempts', repeatable: true },
    exchanges: { method: 'GET', path: '/requests/{request_id}/exchanges', repeatable: true },
  },
  work: {
    // A claim whose answer was lost may have leased: those requests come back when the leases end.
    claim: { method: 'POST', path: '/work/claim', repeatable: false },
    // The same: again would answer 409, as if someone else had it.
    claimRequest: { method: 'POST', path: '/work/{request_id}/claim', repeatable: false },
    heartbeat: { method: 'POST', path: '/work/{request_id}/heartbeat', repeatable: true },
    // Each of these ends the lease, so that again would answer 409, as if the lease had been lost before.
    release: { method: 'POST', path: '/work/{request_id}/release', repeatable: false },
    fail: { method: 'POST', path: '/work/{request_id}/fail', repeatable: false },
    submit: { method: 'POST', path: '/work/{request_id}/submit', repeatable: false },
    stats: { method: 'GET', path: '/work/stats', repeatable: true, takesInput: false },
    payers: { method: 'GET', path: '/work/payers', repeatable: true, takesInput: false },
  },
  deliveries: {
    // What is under way is left alone, so a second call does only what the first one left.
    redeliverExhausted: { method: 'POST', path: '/deliveries/redeliver-exhausted', repeatable: true },
  },
  verificationOutput: {
    // The same output again changes nothing, and is held once.
    submit: { method: 'POST', path: '/verification-output', repeatable: true },
  },
  heldOutputs: {
    list: { method: 'GET', path: '/held-outputs', repeatable: true },
    get: { method: 'GET', path: '/held-outputs/{held_id}', repeatable: true },
    apply: { method: 'POST', path: '/held-outputs/{held_id}/apply', repeatable: false },
    dismiss: { method: 'POST', path: '/held-outputs/{held_id}/dismiss', repeatable: false },
    // A second call finds what the first one left, or what came since: never twice the same.
    dismissMany: { method: 'POST', path: '/held-outputs/dismiss', repeatable: false },
  },
  keys: {
    create: { method: 'POST', path: '/keys', repeatable: false },
    list: { method: 'GET', path: '/keys', repeatable: true },
    revoke: { method: 'POST', path: '/keys/{key_id}/revoke', repeatable: true },
  },
  accounts: {
    create: { method: 'POST', path: '/accounts', repeatable: false },
    list: { method: 'GET', path: '/accounts', repeatable: true },
    limits: { method: 'GET', path: '/accounts/{account_id}/limits', repeatable: true },
    setLimits: { method: 'POST', path: '/accounts/{account_id}/limits', repeatable: true },
    suspend: { method: 'POST', path: '/accounts/{account_id}/suspend', repeatable: true },
    resume: { method: 'POST', path: '/accounts/{account_id}/resume', repeatable: true },
  },
  audit: {
    list: { method: 'GET', path: '/audit', repeatable: true },
  },
  reports: {
    responseTimes: { method: 'GET', path: '/reports/response-times', repeatable: true },
  },
  webhookSecret: {
    get: { method: 'GET', path: '/webhook-secret', repeatable: true, takesInput: false },
    rotate: { method: 'POST', path: '/webhook-secret/rotate', repeatable: false, takesInput: false },
  },
} as const satisfies { readonly [Group in keyof Router]: { readonly [Name in keyof Router[Group]]: Route } };
