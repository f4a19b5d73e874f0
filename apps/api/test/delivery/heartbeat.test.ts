import { randomBytes, randomUUID } from 'node:crypto';
import { type ClaimedDelivery, getRequest, openStore } from '@insurance-verification/store';
import { createTestDatabase } from '@insurance-verification/store/testing';
import { expect, test } from 'vitest';
import { startHeartbeat } from '../../src/delivery/worker/start-heartbeat.ts';
import { InFlight } from '../../src/queue/in-flight.ts';
import { createLog } from '../../src/telemetry/log.ts';
import { aTableLock } from '../a-table-lock.ts';

const caller = { keyId: 'key_1', accountId: 'acct_1', mode: 'live' } as const;

const aDelivery: ClaimedDelivery = {
  deliveryId: 'msg_1',
  leaseToken: randomUUID(),
  requestId: 'req_1',
  eventId: null,
  endpointId: null,
  subscription: null,
  isEndpointOff: false,
  isEventAltered: false,
  hasBenefits: false,
  version: 1,
  accountId: 'acct_1',
  lane: 'acct_1',
  hostKey: 'host',
  roundAttemptNumber: 1,
  acceptedAt: new Date(),
  claimsExhausted: false,
  message: null,
};

// Broke: Ctrl-C during a renewal closed the pool under it, and the last thing on screen was a warning with a stack.
test('a stop waits for the renewal under way', async () => {
  const { connectionString } = await createTestDatabase();
  const encryptionKey = `k1:${randomBytes(32).toString('base64')}`;
  const store = await openStore({ connectionString, encryptionKey, connectionCountMax: 1 });
  const lines: string[] = [];
  const log = createLog('debug', { write: (line) => void lines.push(line) });
  const inFlight = new InFlight<ClaimedDelivery>();
  const { promise: sent, resolve: end } = Promise.withResolvers<void>();
  inFlight.begin('msg_1', aDelivery, () => sent);

  // A caller takes the only connection just before the renewal asks for one.
  const lock = await aTableLock(connectionString, 'request', 'access exclusive');
  let answered: Promise<unknown> | undefined;
  const items = inFlight.items.bind(inFlight);
  inFlight.items = () => {
    answered ??= getRequest(store, { caller, requestId: 'req_01m81wxhazem4awv10k90ts6ab' });
    return items();
  };
  const heartbeat = startHeartbeat({ store, log }, inFlight);
  await lock.waitedForBy(1);
  const ended: string[] = [];
  const stopped = heartbeat.stop().then(() => ended.push('renewal'));
  void answered?.then(() => ended.push('caller'));
  await lock.release();
  await stopped;
  await store.close();
  end();
  expect([ended, lines]).toEqual([['caller', 'renewal'], []]);
});
