import { aRequest } from '@insurance-verification/testing/a-request';
import { anOutput } from '@insurance-verification/testing/an-output';
import {
  applyHeldOutput,
  breakGlass,
  type Caller,
  closeRequest,
  createApiKeyText,
  ensureDefaultAccount,
  findApiKey,
  findSession,
  insertRequests,
  redeliver,
  releaseLeases,
  renewLeases,
  replayRequest,
  signOut,
  type Store,
} from '../../src/index.ts';
import {
  aFinishedRequest,
  anAccount,
  aPlatformCaller,
  aWebhookSecret,
  claimDue,
  finish,
  hold,
  intake,
  PAYER_ID,
  type StoredRequest,
} from '../ground/stages.ts';
import { claimOne, submitFound } from '../ground/work-queue.ts';
import { openAccount } from './open-account.ts';
import { readEverything } from './read-everything.ts';
import { signPeopleIn } from './sign-people-in.ts';
import { verify } from './verify.ts';

/** What the morning leaves behind: everything is under way. */
export interface Midday {
  readonly caller: Caller;
  readonly waiting: StoredRequest;
  readonly delivered: StoredRequest;
  readonly heldId: string;
  readonly session: string;
  readonly apiKey: string;
}

/** Every statement that a process says in daily use, once: intake, verification, output, delivery, people, figures. */
export async function theMorning(store: Store): Promise<Midday> {
  const secrets = { webhookSecret: aWebhookSecret(), createWebhookSecret: aWebhookSecret, createKey: null };
  await ensureDefaultAccount(store, { ...secrets, apiKey: createApiKeyText('live') });
  const caller = await anAccount(store);
  const operator = aPlatformCaller();
  const apiKey = await openAccount(store, { caller, operator });

  const again = { caller, payerId: PAYER_ID, input: aRequest(), idempotencyKey: 'once' };
  await insertRequests(store, [again, { ...again, idempotencyKey: null }]);
  await replayRequest(store, again);
  await verify(store, caller);

  const delivered = await aFinishedRequest(store, caller);
  await aFinishedRequest(store, caller);
  const [first, second] = await claimDue(store);
  if (!first || !second) throw new Error('Two deliveries are due.');
  await renewLeases(store, [first, second]);
  await finish(store, first);
  await finish(store, second, {
    outcome: 'gone',
    statusCode: 410,
    next: { kind: 'exhausted', reason: 'webhook_gone' },
  });

  const heldId = await hold(store, anOutput(delivered, { notes: 'Another one.' }), {
    trusted: false,
    caller: null,
    client: '192.0.2.1',
  });
  const session = await signPeopleIn(store, operator);
  await readEverything(store, caller, delivered);
  const waiting = await intake(store, caller);
  await aFinishedRequest(store, caller);
  return { caller, waiting, delivered, heldId, session, apiKey };
}

/** Goes on with what the morning left, and does all of it again. */
export async function theAfternoon(store: Store, midday: Midday): Promise<void> {
  const { caller, waiting, delivered, heldId, session, apiKey } = midday;
  const operator = aPlatformCaller();
  await findApiKey(store, apiKey);
  const found = await findSession(store, { token: session, accountId: undefined, isUse: true });
  if (found.kind !== 'found') throw new Error('The session is over.');
  await submitFound(store, await claimOne(store));
  await readEverything(store, caller, waiting);
  await applyHeldOutput(store, { caller: operator, heldId });
  const leases = await claimDue(store);
  await releaseLeases(store, leases);
  for (const lease of await claimDue(store)) await finish(store, lease);
  await redeliver(store, { caller, requestId: delivered.request_id });
  const broken = await breakGlass(store, {
    caller: operator,
    sessionId: found.person.session.sessionId,
    reason: 'A payer is on the line.',
  });
  if (broken.kind !== 'broken') throw new Error('There is no emergency.');
  await signOut(store, session);
  await closeRequest(store, {
    caller: operator,
    requestId: (await intake(store, caller)).request_id,
    reason: 'not_verifiable',
  });
  await theMorning(store);
}
