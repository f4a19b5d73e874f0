import type { OPERATIONS } from '@insurance-verification/schema';
import { type OperationName } from '@insurance-verification/schema';
import type { Change } from './context/app.ts';

type Mutation = {
  [Name in OperationName]: (typeof OPERATIONS)[Name] extends { readonly onlyReads: true }
    ? never
    : (typeof OPERATIONS)[Name]['method'] extends 'POST'
      ? Name
      : never;
}[OperationName];

/** What each operation that succeeds may have changed of what consoles show. */
const CHANGES: Readonly<Record<Mutation, readonly Change[]>> = {
  'requests.create': ['request', 'work'],
  'requests.redeliver': ['delivery'],
  'demo.play': ['request', 'work'],
  'requests.close': ['request', 'work', 'delivery'],
  'work.claim': ['work'],
  'work.claimRequest': ['work'],
  'work.heartbeat': [],
  'work.startCall': ['work'],
  'work.endCall': ['work'],
  'work.release': ['work'],
  'work.fail': ['work', 'request'],
  'work.submit': ['work', 'request'],
  // A draft is its writer's own, and is saved too often for everyone to hear of it.
  'drafts.save': [],
  'drafts.discard': [],
  'drafts.adopt': [],
  'deliveries.redeliverMatching': ['delivery'],
  'deliveries.redeliverExhausted': ['delivery'],
  'verificationOutput.submit': ['request', 'work', 'held'],
  'heldOutputs.apply': ['held', 'request'],
  'heldOutputs.dismiss': ['held'],
  'heldOutputs.dismissMany': ['held'],
  'keys.create': ['access'],
  'keys.revoke': ['access'],
  'accounts.create': ['access'],
  'accounts.setLimits': ['access'],
  'accounts.setRetention': ['access'],
  'accounts.suspend': ['access'],
  'accounts.resume': ['access'],
  'staff.add': ['access'],
  'staff.setRoles': ['access', 'session'],
  'staff.link': [],
  'staff.end': ['access', 'session'],
  'sessions.end': ['access', 'session'],
  'sessions.breakGlass': ['access'],
  // Each concerns the caller's own pages alone, which know.
  'passkeys.begin': [],
  'passkeys.add': [],
  'passkeys.end': [],
  'settings.set': [],
  'webhookSecret.rotate': ['access'],
};

const isMutation = (name: OperationName): name is Mutation => Object.hasOwn(CHANGES, name);

/** What a call of the operation may have changed; nothing for a read. */
export const changesOf = (operation: OperationName): readonly Change[] =>
  isMutation(operation) ? CHANGES[operation] : [];
