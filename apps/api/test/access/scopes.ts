import { type OperationName, OPERATIONS, Scope } from '@insurance-verification/schema';
import { pathParameters } from '../../src/procedure/input-locations.ts';

/**
 * The scopes of each operation, repeated by hand and never derived from `OPERATIONS`: a slip there must show here
 * before it opens an operation. The one open operation is not listed.
 */
export const SCOPES: Partial<Record<OperationName, readonly Scope[]>> = {
  'requests.create': ['requests'],
  'requests.list': ['requests'],
  'requests.search': ['operate'],
  'requests.get': ['requests', 'operate', 'verify'],
  'requests.result': ['requests', 'operate'],
  'requests.deliveries': ['requests', 'operate'],
  'requests.redeliver': ['requests'],
  'requests.close': ['requests', 'operate'],
  'requests.attempts': ['requests', 'operate', 'verify'],
  'requests.exchanges': ['operate'],
  'demo.play': ['operate'],
  'work.claim': ['verify'],
  'work.claimRequest': ['verify'],
  'work.heartbeat': ['verify'],
  'work.startCall': ['verify'],
  'work.endCall': ['verify'],
  'work.release': ['verify'],
  'work.fail': ['verify'],
  'work.submit': ['verify'],
  'work.stats': ['verify', 'operate'],
  'work.payers': ['verify', 'operate'],
  'work.day': ['verify'],
  'drafts.list': ['verify'],
  'drafts.get': ['verify'],
  'drafts.save': ['verify'],
  'drafts.discard': ['verify'],
  'drafts.adopt': ['verify'],
  'deliveries.list': ['requests', 'operate'],
  'deliveries.get': ['requests', 'operate'],
  'deliveries.redeliverMatching': ['requests', 'operate'],
  'deliveries.redeliverExhausted': ['requests', 'operate'],
  'heldOutputs.list': ['operate'],
  'heldOutputs.get': ['operate'],
  'heldOutputs.compare': ['operate'],
  'heldOutputs.apply': ['operate'],
  'heldOutputs.dismiss': ['operate'],
  'heldOutputs.dismissMany': ['operate'],
  'keys.create': ['admin'],
  'keys.list': ['admin'],
  'keys.revoke': ['admin'],
  'accounts.create': ['admin'],
  'accounts.list': ['admin'],
  'accounts.limits': ['admin'],
  'accounts.setLimits': ['admin'],
  'accounts.suspend': ['admin'],
  'accounts.resume': ['admin'],
  'staff.add': ['admin'],
  'staff.list': ['admin'],
  'staff.setRoles': ['admin'],
  'staff.link': ['admin'],
  'staff.end': ['admin'],
  'sessions.me': Scope.options,
  'sessions.list': Scope.options,
  'sessions.end': Scope.options,
  'sessions.breakGlass': ['operate'],
  'passkeys.list': Scope.options,
  'passkeys.begin': Scope.options,
  'passkeys.add': Scope.options,
  'passkeys.end': Scope.options,
  'settings.get': Scope.options,
  'settings.set': Scope.options,
  'audit.list': ['audit'],
  'reports.responseTimes': ['operate'],
  'reports.requests': ['requests', 'operate'],
  'reports.times': ['requests', 'operate'],
  'reports.reasons': ['requests', 'operate'],
  'reports.queue': ['requests', 'operate'],
  'reports.held': ['operate'],
  'webhookSecret.get': ['secrets'],
  'webhookSecret.rotate': ['secrets'],
};

/** What only people who are signed in may call, with any scope: no key may. Repeated by hand as well. */
export const FOR_PEOPLE: ReadonlySet<OperationName> = new Set<OperationName>([
  'passkeys.list',
  'passkeys.begin',
  'passkeys.add',
  'passkeys.end',
  'settings.get',
  'settings.set',
]);

/** The path parameters of an operation: nonexistent names, enough to pass authorization. */
export function inputOf(operation: OperationName): Readonly<Record<string, string>> {
  return Object.fromEntries(pathParameters(OPERATIONS[operation].path).map((name) => [name, 'x']));
}
