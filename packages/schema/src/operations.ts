import { Scope } from './access/scope.ts';

/** The properties of an operation. */
export interface OperationFact {
  /** The HTTP method of its REST route. A GET is a query over tRPC, a POST a mutation. */
  readonly method: 'GET' | 'POST';
  /**
   * The path of its REST route. Input fields in braces are part of it; the others go into a GET's query or a POST's
   * body.
   */
  readonly path: `/${string}`;
  /** Any one of these suffices for a key. Empty means that no key is needed. */
  readonly scopes: readonly Scope[];
  /** Whether the call is idempotent, so that a client may repeat it when no answer arrived. */
  readonly repeatable: boolean;
  /** Whether the call accepts the header `Idempotency-Key`. */
  readonly takesIdempotencyKey?: true;
  /**
   * Whether a person who calls it must have signed in within 15 minutes: it makes or ends access, or delivers what the
   * rules held back.
   */
  readonly asksFreshSignIn?: true;
  /** Whether it is about a person who is signed in: no key may call it, whatever its scopes. */
  readonly forPeople?: true;
  /**
   * A POST that only reads, because what it takes must not stand in an address, or because each call counts. Callers who
   * may change nothing may call it.
   */
  readonly onlyReads?: true;
  /**
   * A read of which each call leaves its line in the audit. Of any other, one that a person's page repeats within 15
   * minutes leaves a line only for requests that were not in it before.
   */
  readonly recordsEachCall?: true;
  /** Whether the operation has no input: neither path nor query nor body. */
  readonly takesNoInput?: true;
}

type Row<Method, Scopes, Facts> = Omit<OperationFact, 'method' | 'scopes'> &
  Facts & { readonly method: Method; readonly scopes: Scopes };

/** A read, which is always repeatable. */
function get<
  const Scopes extends readonly Scope[],
  const Facts extends Pick<OperationFact, 'forPeople' | 'recordsEachCall' | 'takesNoInput'>,
>(path: OperationFact['path'], scopes: Scopes, facts?: Facts) {
  return { method: 'GET', path, scopes, repeatable: true, ...facts } as unknown as Row<'GET', Scopes, Facts>;
}

function post<
  const Scopes extends readonly Scope[],
  const Facts extends Omit<OperationFact, 'method' | 'path' | 'scopes'>,
>(path: OperationFact['path'], scopes: Scopes, facts: Facts) {
  return { method: 'POST', path, scopes, ...facts } as unknown as Row<'POST', Scopes, Facts>;
}

/**
 * Every operation of the service, by its name, which is the tRPC procedure's, the `operationId` of the OpenAPI
 * document, and the `operation` of the access log and of errors. Append-only: names are never changed.
 */
export const OPERATIONS = {
  // Its Idempotency-Key makes a create repeatable: a retry returns the first answer again.
  'requests.create': post('/requests/', ['requests'], { repeatable: true, takesIdempotencyKey: true }),
  'requests.list': get('/requests/', ['requests']),
  // A member id is a patient's, and addresses end up in logs.
  'requests.search': post('/requests/search', ['requests', 'operate'], { repeatable: true, onlyReads: true }),
  'requests.stats': get('/requests/stats', ['requests', 'operate'], { takesNoInput: true }),
  // With only `verify`, the caller's own work.
  'requests.get': get('/requests/{request_id}', ['requests', 'operate', 'verify']),
  'requests.result': get('/requests/{request_id}/result', ['requests', 'operate', 'verify']),
  'requests.benefits': get('/requests/{request_id}/benefits', ['requests', 'operate', 'verify']),
  'requests.deliveries': get('/requests/{request_id}/deliveries', ['requests', 'operate']),
  // During the first round a second redelivery changes nothing; afterwards, the receiver knows the id.
  'requests.redeliver': post('/requests/{request_id}/redeliver', ['requests'], { repeatable: true }),
  // A second close answers 409, as if someone else had finished the request.
  'requests.close': post('/requests/{request_id}/close', ['requests', 'operate'], { repeatable: false }),
  'requests.attempts': get('/requests/{request_id}/attempts', ['requests', 'operate', 'verify']),
  'requests.exchanges': get('/requests/{request_id}/exchanges', ['requests', 'operate']),
  'requests.proof': get('/requests/{request_id}/proof', ['requests', 'operate']),
  'requests.view': get('/requests/{request_id}/view', ['requests', 'operate']),
  'requests.reveal': post('/requests/{request_id}/reveal', ['requests', 'operate'], {
    repeatable: true,
    onlyReads: true,
    recordsEachCall: true,
  }),
  'requests.noteCopy': post('/requests/{request_id}/note-copy', ['requests', 'operate', 'verify'], {
    repeatable: true,
    onlyReads: true,
    recordsEachCall: true,
  }),
  // Asked for again it is the same, also when it is done.
  'requests.erase': post('/requests/{request_id}/erase', ['privacy'], {
    repeatable: true,
    asksFreshSignIn: true,
  }),
  'requests.readers': get('/requests/{request_id}/readers', ['operate', 'audit']),

  'payers.list': get('/payers', ['requests', 'operate', 'verify'], { takesNoInput: true }),

  // A second play makes a second request.
  'demo.play': post('/demo/play', ['operate'], { repeatable: false, takesNoInput: true }),
  // A second one replaces the first.
  'demo.playDay': post('/demo/day', ['operate'], { repeatable: false, takesNoInput: true }),
  'demo.clearDay': post('/demo/day/clear', ['operate'], { repeatable: true, takesNoInput: true }),

  // A claim whose answer is lost may have leased requests, which return when the leases end.
  'work.claim': post('/work/claim', ['verify'], { repeatable: false }),
  // A second claim answers 409, as if someone else had the lease.
  'work.claimRequest': post('/work/{request_id}/claim', ['verify'], { repeatable: false }),
  'work.heartbeat': post('/work/{request_id}/heartbeat', ['verify'], { repeatable: true }),
  'work.startCall': post('/work/{request_id}/start-call', ['verify'], { repeatable: true }),
  'work.endCall': post('/work/{request_id}/end-call', ['verify'], { repeatable: true }),
  // Each of these ends the lease: the second call answers 409, as if the lease had been lost before.
  'work.release': post('/work/{request_id}/release', ['verify'], { repeatable: false }),
  'work.fail': post('/work/{request_id}/fail', ['verify'], { repeatable: false }),
  'work.submit': post('/work/{request_id}/submit', ['verify'], { repeatable: false }),
  'work.stats': get('/work/stats', ['verify', 'operate']),
  'work.payers': get('/work/payers', ['verify', 'operate'], { takesNoInput: true }),
  'work.day': get('/work/day', ['verify']),
  'work.done': get('/work/done', ['verify']),

  // Each concerns the caller's own drafts, about what it leases or worked on within a day.
  'drafts.list': get('/drafts', ['verify']),
  'drafts.get': get('/work/{request_id}/draft', ['verify']),
  // A repeated save of the same content changes nothing.
  'drafts.save': post('/work/{request_id}/draft', ['verify'], { repeatable: true }),
  'drafts.discard': post('/work/{request_id}/draft/discard', ['verify'], { repeatable: true }),
  // A second adoption finds nothing left to adopt.
  'drafts.adopt': post('/work/{request_id}/draft/adopt', ['verify'], { repeatable: false }),

  'deliveries.list': get('/deliveries', ['requests', 'operate']),
  'deliveries.get': get('/deliveries/{delivery_id}', ['requests', 'operate']),
  // A token sends no message twice, so a second call only does what the first one left.
  'deliveries.redeliverMatching': post('/deliveries/redeliver', ['requests', 'operate'], {
    repeatable: true,
  }),
  // Messages in progress are left alone, so a second call only does what the first one left.
  'deliveries.redeliverExhausted': post('/deliveries/redeliver-exhausted', ['requests', 'operate'], {
    repeatable: true,
  }),

  'receivers.list': get('/receivers', ['operate'], { takesNoInput: true }),
  // A second call tries what is due then.
  'receivers.tryNow': post('/receivers/try', ['operate'], { repeatable: true }),

  // The same output again changes nothing, and is held once.
  'verificationOutput.submit': post('/verification-output', [], { repeatable: true }),
  'heldOutputs.list': get('/held-outputs', ['operate']),
  'heldOutputs.stats': get('/held-outputs/stats', ['operate'], { takesNoInput: true }),
  'heldOutputs.get': get('/held-outputs/{held_id}', ['operate']),
  'heldOutputs.compare': get('/held-outputs/{held_id}/comparison', ['operate']),
  // A second call answers 409: the output is settled.
  'heldOutputs.apply': post('/held-outputs/{held_id}/apply', ['operate'], {
    repeatable: false,
    asksFreshSignIn: true,
  }),
  'heldOutputs.dismiss': post('/held-outputs/{held_id}/dismiss', ['operate'], { repeatable: false }),
  // A second call dismisses what the first one left, and newer arrivals.
  'heldOutputs.dismissMany': post('/held-outputs/dismiss', ['operate'], { repeatable: false }),

  // A second create makes a second key or account.
  'keys.create': post('/keys', ['admin'], { repeatable: false, asksFreshSignIn: true }),
  'keys.list': get('/keys', ['admin']),
  'keys.revoke': post('/keys/{key_id}/revoke', ['admin'], { repeatable: true, asksFreshSignIn: true }),
  'accounts.create': post('/accounts', ['admin'], { repeatable: false, asksFreshSignIn: true }),
  'accounts.list': get('/accounts', ['admin', 'privacy']),
  'accounts.limits': get('/accounts/{account_id}/limits', ['admin']),
  'accounts.setLimits': post('/accounts/{account_id}/limits', ['admin'], {
    repeatable: true,
    asksFreshSignIn: true,
  }),
  'accounts.retention': get('/accounts/{account_id}/retention', ['admin', 'privacy']),
  'accounts.setRetention': post('/accounts/{account_id}/retention', ['admin', 'privacy'], {
    repeatable: true,
    asksFreshSignIn: true,
  }),
  // A key may ask for a shorter retention; a person confirms it. Confirmed again it changes nothing.
  'accounts.confirmRetention': post('/accounts/{account_id}/retention/confirm', ['admin', 'privacy'], {
    repeatable: true,
    asksFreshSignIn: true,
    forPeople: true,
  }),
  'accounts.suspend': post('/accounts/{account_id}/suspend', ['admin'], {
    repeatable: true,
    asksFreshSignIn: true,
  }),
  'accounts.resume': post('/accounts/{account_id}/resume', ['admin'], {
    repeatable: true,
    asksFreshSignIn: true,
  }),

  'erasures.list': get('/erasures', ['privacy']),
  // A key may ask for an erasure; a person confirms it. Confirmed again it changes nothing.
  'erasures.confirm': post('/erasures/{erasure_id}/confirm', ['privacy'], {
    repeatable: true,
    asksFreshSignIn: true,
    forPeople: true,
  }),
  'holds.list': get('/holds', ['privacy']),
  // A second hold stands beside the first.
  'holds.place': post('/holds', ['privacy'], { repeatable: false }),
  'holds.end': post('/holds/{hold_id}/end', ['privacy'], { repeatable: true, asksFreshSignIn: true }),

  // A second add creates a second person.
  'staff.add': post('/staff', ['admin'], { repeatable: false, asksFreshSignIn: true }),
  'staff.list': get('/staff', ['admin']),
  'staff.setRoles': post('/staff/{staff_id}/roles', ['admin'], { repeatable: true, asksFreshSignIn: true }),
  // A second call creates a second link.
  'staff.link': post('/staff/{staff_id}/link', ['admin'], { repeatable: false, asksFreshSignIn: true }),
  'staff.end': post('/staff/{staff_id}/end', ['admin'], { repeatable: true, asksFreshSignIn: true }),
  // Open to every caller with any scope; without `admin` they concern only the caller.
  'sessions.me': get('/sessions/me', Scope.options, { takesNoInput: true }),
  'sessions.list': get('/sessions', Scope.options),
  'sessions.end': post('/sessions/{session_id}/end', Scope.options, { repeatable: true }),
  // A second call during the hour begins another.
  'sessions.breakGlass': post('/sessions/{session_id}/break-glass', ['operate'], { repeatable: false }),
  // For whoever acts on one account, by choice.
  'sessions.accounts': get('/sessions/accounts', ['requests', 'secrets', 'operate', 'audit'], {
    forPeople: true,
  }),
  // Open to every person, for themselves alone.
  'passkeys.list': get('/passkeys', Scope.options, { forPeople: true, takesNoInput: true }),
  'passkeys.begin': post('/passkeys/begin', Scope.options, {
    repeatable: true,
    asksFreshSignIn: true,
    forPeople: true,
    takesNoInput: true,
  }),
  // The token of `passkeys.begin` works once. It is also the proof of a fresh sign-in, five minutes old at most.
  'passkeys.add': post('/passkeys', Scope.options, { repeatable: false, forPeople: true }),
  // A second call finds nothing left.
  'passkeys.end': post('/passkeys/{passkey_id}/end', Scope.options, {
    repeatable: false,
    asksFreshSignIn: true,
    forPeople: true,
  }),
  'settings.get': get('/settings', Scope.options, { forPeople: true, takesNoInput: true }),
  'settings.set': post('/settings', Scope.options, { repeatable: true, forPeople: true }),

  'audit.list': get('/audit', ['audit']),
  'audit.export': get('/audit/export', ['audit'], { recordsEachCall: true }),
  'audit.seals': get('/audit/seals', ['audit']),
  'audit.verify': get('/audit/verification', ['audit']),
  'reports.responseTimes': get('/reports/response-times', ['operate']),
  'reports.requests': get('/reports/requests', ['requests', 'operate']),
  'reports.times': get('/reports/times', ['requests', 'operate']),
  'reports.reasons': get('/reports/reasons', ['requests', 'operate']),
  'reports.queue': get('/reports/queue', ['requests', 'operate']),
  'reports.held': get('/reports/held', ['operate']),
  'webhookSecret.get': get('/webhook-secret', ['secrets'], { takesNoInput: true }),
  // A second rotation makes a second secret, and at most nine old ones are kept within a day.
  'webhookSecret.rotate': post('/webhook-secret/rotate', ['secrets'], {
    repeatable: false,
    takesNoInput: true,
  }),
} satisfies Record<string, OperationFact>;

/** The name of an operation: `requests.create`. */
export type OperationName = keyof typeof OPERATIONS;

/** What the audit records besides operations: sign-ins, and what the service does itself or at its own machine. */
export const RECORDED_ACTIONS = [
  'audit.drop',
  'audit.resume',
  'keys.replaceFirst',
  'sessions.signIn',
  'sessions.signOut',
  'work.expire',
] as const;

/** The `operation` of a line of the audit. */
export type RecordedOperation = OperationName | (typeof RECORDED_ACTIONS)[number];
