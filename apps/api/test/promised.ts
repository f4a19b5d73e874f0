import { Scope } from '@insurance-verification/schema';
import type { OperationName } from '@insurance-verification/schema/contract';

/** What is promised of an operation. */
interface Promised {
  /** Any one of these suffices for a key. */
  readonly scopes: readonly Scope[];
  /** The statuses that it answers besides those of every operation, and of every operation that needs a key. */
  readonly also: readonly number[];
  /** Only people who are signed in may call it, with any of the scopes: no key may. */
  readonly forPeople?: true;
  /** It makes or ends access, so a person must have signed in within 15 minutes. */
  readonly asksFreshSignIn?: true;
  /** A POST that changes nothing of a provider's, so viewers may call it too. */
  readonly forViewers?: true;
}

/**
 * Written by hand, and never made from `OPERATIONS` or from the router: a slip there must show here before it opens an
 * operation, or answers what no client expects. With `ASKS` of asked-in-vain.ts it is all that tests repeat by hand.
 */
export const PROMISED: Readonly<Record<OperationName, Promised>> = {
  'requests.create': { scopes: ['requests'], also: [409, 410, 422] },
  'requests.list': { scopes: ['requests'], also: [422] },
  'requests.search': { scopes: ['requests', 'operate'], also: [422], forViewers: true },
  'requests.stats': { scopes: ['requests', 'operate'], also: [422] },
  'requests.get': { scopes: ['requests', 'operate', 'verify'], also: [404, 410, 422] },
  'requests.result': { scopes: ['requests', 'operate', 'verify'], also: [404, 410, 422] },
  'requests.benefits': { scopes: ['requests', 'operate', 'verify'], also: [404, 410, 422] },
  'requests.deliveries': { scopes: ['requests', 'operate'], also: [404, 422] },
  'requests.redeliver': { scopes: ['requests'], also: [404, 409, 410, 422] },
  'requests.close': { scopes: ['requests', 'operate'], also: [404, 409, 410, 422] },
  'requests.attempts': { scopes: ['requests', 'operate', 'verify'], also: [404, 410, 422] },
  'requests.exchanges': { scopes: ['requests', 'operate'], also: [404, 410, 422] },
  'requests.proof': { scopes: ['requests', 'operate'], also: [404, 410, 422] },
  'requests.view': { scopes: ['requests', 'operate'], also: [404, 422] },
  'requests.reveal': { scopes: ['requests', 'operate'], also: [404, 410, 422], forViewers: true },
  'requests.erase': { scopes: ['privacy'], also: [404, 409, 410, 422], asksFreshSignIn: true },
  'requests.readers': { scopes: ['operate', 'audit'], also: [404, 422] },
  'payers.list': { scopes: ['requests', 'operate', 'verify'], also: [422] },
  'payers.resolve': { scopes: ['requests', 'operate', 'verify'], also: [422] },
  'demo.play': { scopes: ['operate'], also: [404, 422] },
  'demo.playDay': { scopes: ['operate'], also: [404, 422] },
  'demo.clearDay': { scopes: ['operate'], also: [404, 422] },
  'work.claim': { scopes: ['verify'], also: [422] },
  'work.claimRequest': { scopes: ['verify'], also: [404, 409, 410, 422] },
  'work.heartbeat': { scopes: ['verify'], also: [404, 409, 410, 422] },
  'work.startCall': { scopes: ['verify'], also: [404, 409, 410, 422] },
  'work.endCall': { scopes: ['verify'], also: [404, 409, 410, 422] },
  'work.callBack': { scopes: ['verify'], also: [404, 409, 410, 422] },
  'work.callBacks': { scopes: ['verify'], also: [422] },
  'work.release': { scopes: ['verify'], also: [404, 409, 410, 422] },
  'work.fail': { scopes: ['verify'], also: [404, 409, 410, 422] },
  'work.submit': { scopes: ['verify'], also: [404, 409, 410, 422] },
  'work.stats': { scopes: ['verify', 'operate'], also: [422] },
  'work.payers': { scopes: ['verify', 'operate'], also: [422] },
  'work.day': { scopes: ['verify'], also: [422] },
  'work.done': { scopes: ['verify'], also: [422] },
  'drafts.list': { scopes: ['verify'], also: [422] },
  'drafts.get': { scopes: ['verify'], also: [404, 410, 422] },
  'drafts.save': { scopes: ['verify'], also: [404, 409, 410, 422] },
  'drafts.discard': { scopes: ['verify'], also: [404, 409, 422] },
  'deliveries.list': { scopes: ['requests', 'operate'], also: [422] },
  'deliveries.get': { scopes: ['requests', 'operate'], also: [404, 422] },
  'deliveries.redeliverMatching': { scopes: ['requests', 'operate'], also: [422] },
  'deliveries.redeliverExhausted': { scopes: ['requests', 'operate'], also: [422] },
  'receivers.list': { scopes: ['operate'], also: [422] },
  'receivers.tryNow': { scopes: ['operate'], also: [422] },
  'verificationOutput.submit': { scopes: [], also: [403, 422, 429] },
  'heldOutputs.list': { scopes: ['operate'], also: [422] },
  'heldOutputs.stats': { scopes: ['operate'], also: [422] },
  'heldOutputs.get': { scopes: ['operate'], also: [404, 422] },
  'heldOutputs.compare': { scopes: ['operate'], also: [404, 410, 422] },
  'heldOutputs.apply': { scopes: ['operate'], also: [404, 409, 410, 422], asksFreshSignIn: true },
  'heldOutputs.dismiss': { scopes: ['operate'], also: [404, 409, 422] },
  'heldOutputs.dismissMany': { scopes: ['operate'], also: [422] },
  'keys.create': { scopes: ['admin'], also: [422], asksFreshSignIn: true },
  'keys.list': { scopes: ['admin'], also: [422] },
  'keys.revoke': { scopes: ['admin'], also: [404, 422], asksFreshSignIn: true },
  'accounts.create': { scopes: ['admin'], also: [422], asksFreshSignIn: true },
  'accounts.list': { scopes: ['admin', 'privacy'], also: [422] },
  'accounts.limits': { scopes: ['admin'], also: [404, 422] },
  'accounts.setLimits': { scopes: ['admin'], also: [404, 409, 422], asksFreshSignIn: true },
  'accounts.retention': { scopes: ['admin', 'privacy'], also: [404, 422] },
  'accounts.setRetention': { scopes: ['admin', 'privacy'], also: [404, 422], asksFreshSignIn: true },
  'accounts.confirmRetention': {
    scopes: ['admin', 'privacy'],
    also: [404, 409, 422],
    forPeople: true,
    asksFreshSignIn: true,
  },
  'accounts.suspend': { scopes: ['admin'], also: [404, 409, 422], asksFreshSignIn: true },
  'accounts.resume': { scopes: ['admin'], also: [404, 422], asksFreshSignIn: true },
  'erasures.list': { scopes: ['privacy'], also: [422] },
  'erasures.confirm': {
    scopes: ['privacy'],
    also: [404, 409, 410, 422],
    forPeople: true,
    asksFreshSignIn: true,
  },
  'holds.list': { scopes: ['privacy'], also: [422] },
  'holds.place': { scopes: ['privacy'], also: [404, 410, 422] },
  'holds.end': { scopes: ['privacy'], also: [404, 422], asksFreshSignIn: true },
  'staff.add': { scopes: ['admin'], also: [422], asksFreshSignIn: true },
  'staff.list': { scopes: ['admin'], also: [422] },
  'staff.setRoles': { scopes: ['admin'], also: [404, 409, 422], asksFreshSignIn: true },
  'staff.link': { scopes: ['admin'], also: [404, 422], asksFreshSignIn: true },
  'staff.end': { scopes: ['admin'], also: [404, 409, 422], asksFreshSignIn: true },
  'sessions.me': { scopes: Scope.options, also: [422] },
  'sessions.list': { scopes: Scope.options, also: [422] },
  'sessions.end': { scopes: Scope.options, also: [404, 422], forViewers: true },
  'sessions.breakGlass': { scopes: ['operate'], also: [404, 422] },
  'sessions.accounts': { scopes: ['requests', 'secrets', 'operate', 'audit'], also: [422], forPeople: true },
  'passkeys.list': { scopes: Scope.options, also: [422], forPeople: true },
  'passkeys.begin': { scopes: Scope.options, also: [409, 422], forPeople: true, asksFreshSignIn: true },
  'passkeys.add': { scopes: Scope.options, also: [409, 422], forPeople: true },
  'passkeys.end': { scopes: Scope.options, also: [404, 422], forPeople: true, asksFreshSignIn: true },
  'settings.get': { scopes: Scope.options, also: [422], forPeople: true },
  'settings.set': { scopes: Scope.options, also: [422], forPeople: true },
  'audit.list': { scopes: ['audit'], also: [422] },
  'audit.export': { scopes: ['audit'], also: [422] },
  'audit.seals': { scopes: ['audit'], also: [422] },
  'audit.verify': { scopes: ['audit'], also: [422] },
  'reports.responseTimes': { scopes: ['operate'], also: [422] },
  'reports.get': { scopes: ['requests', 'operate'], also: [404, 422] },
  'webhookSecret.get': { scopes: ['secrets'], also: [422] },
  'webhookSecret.rotate': { scopes: ['secrets'], also: [422] },
};
