import type { EventType } from '@insurance-verification/schema';
import { anOutput } from '@insurance-verification/testing/an-output';
import { until } from '@insurance-verification/testing/until';
import { beforeEach, describe, expect, test } from 'vitest';
import { deliveryQueue } from '../../test/ground/delivery-queue.ts';
import { openTestStores } from '../../test/ground/open-test-stores.ts';
import {
  aFinishedRequest,
  anAccount,
  aPlatformCaller,
  aWebhookSecret,
  hold,
} from '../../test/ground/stages.ts';
import {
  type Caller,
  claimDueDeliveries,
  createEndpoint,
  createMasterKey,
  getDelivery,
  giveUpDelivery,
  listEvents,
  redeliverExhausted,
  searchDeliveries,
  type Store,
  WrongMasterKeyError,
} from '../index.ts';
import { issueId } from '../issued-id.ts';
import type { AlteredRow } from '../row-macs/row-macs.ts';
import { createTestDatabase } from '../testing/index.ts';
import { writeEventsFunction } from './write-event.sql.ts';

const reported: AlteredRow[] = [];
const stores = await openTestStores();
const { open, sql } = stores;
const store = await open({ onAlteredRow: (row) => reported.push(row) });
const queue = deliveryQueue(stores);

beforeEach(async () => {
  await queue.empty();
  reported.length = 0;
});

const anEndpoint = async (caller: Caller, types: readonly EventType[], through = store) => {
  const url = 'https://receiver.example/events';
  const created = await createEndpoint(through, { caller, url, types, secret: aWebhookSecret() });
  if (created.kind !== 'created') throw new Error('The account has too many.');
  return created.endpoint.endpoint_id;
};

const TYPES = ['request.answered', 'request.failed', 'request.held'] as const;

const claimEvents = async (through: Store = store) => {
  const freeSlots = { perHost: 1_000, perAccount: 1_000, hosts: new Map(), lanes: new Map() };
  const { claimed } = await claimDueDeliveries(through, { limit: 100, freeSlots, after: null });
  return claimed.filter(({ eventId }) => eventId !== null);
};

/** The ids of the events once all show: a transaction in another database of the server hides later ones for a time. */
const listedTo = async (caller: Caller, listing: object = {}, through: Store = store) => {
  await until('every event shows', async () => {
    const [hidden] = await sql<{ count: number }>(`select count(*)::int as count from event
      where written_by >= pg_snapshot_xmin(pg_current_snapshot()) and written_by < pg_snapshot_xmax(pg_current_snapshot())`);
    return hidden?.count === 0;
  });
  const { items, more } = await listEvents(through, { caller, limit: 100, ...listing });
  return { ids: items.map(({ id }) => id), more };
};

/** An account whose endpoint gets what its requests bring. */
async function aSubscriber(through = store) {
  const caller = await anAccount(through);
  const endpointId = await anEndpoint(caller, TYPES, through);
  const anEvent = async () => {
    const { request_id: requestId } = await aFinishedRequest(through, caller);
    const [event] = await sql<{ id: string }>('select id from event where subject_id = $1', [requestId]);
    if (!event) throw new Error('A result has an event.');
    return event.id;
  };
  return { caller, endpointId, anEvent };
}

/** Copies an event under another id, with a MAC as an SQL expression or without one, and queues a delivery of the copy. */
async function copyOf(id: string, mac?: string): Promise<string> {
  const copy = issueId('evt');
  const [column, value] = mac === undefined ? ['', ''] : [', mac', `, ${mac}`];
  await sql(
    `insert into event (id, account_id, type, subject_id, body${column})
     select $2::text, account_id, type, subject_id, replace(body, id, $2::text)${value} from event where id = $1`,
    [id, copy],
  );
  await deliver(id, copy);
  return copy;
}

async function deliver(likeEvent: string, eventId: string): Promise<void> {
  const deliveryId = issueId('msg');
  await sql(
    `insert into delivery (id, event_id, endpoint_id, account_id, destination, destination_host)
     select $2, $3, endpoint_id, account_id, destination, destination_host from delivery where event_id = $1`,
    [likeEvent, deliveryId, eventId],
  );
  await sql(
    `insert into delivery_queue (destination_host, account_id, run_at, delivery_id)
     select destination_host, account_id, now(), id from delivery where id = $1`,
    [deliveryId],
  );
}

/** Has the service's own function write an event, with a MAC as an SQL expression. */
async function callWith(id: string, mac: string): Promise<string> {
  const made = issueId('evt');
  await sql(
    `select ${writeEventsFunction.name}(array[$2::text], array[account_id::text], array[type::text], array[$2::text],
       array[1], array[replace(body, id, $2::text)], array[${mac}], array[null::text]) from event where id = $1`,
    [id, made],
  );
  return made;
}

async function change(id: string, set: string, ...values: readonly unknown[]): Promise<string> {
  await sql(`update event set ${set} where id = $1`, [id, ...values]);
  return id;
}

interface Given {
  /** An honest event. */
  readonly id: string;
  readonly other: Caller;
}

/** What a person with SQL may do. Each returns the id of an event that the service did not write so. */
const FORGERIES: Readonly<Record<string, (given: Given) => Promise<string>>> = {
  'inserted without a MAC': ({ id }) => copyOf(id),
  'inserted with a guessed MAC': ({ id }) => copyOf(id, `sha256('guessed')`),
  'copied under another id, with its MAC': ({ id }) => copyOf(id, 'mac'),
  'written by the function, with an empty MAC': ({ id }) => callWith(id, `''::bytea`),
  'written by the function, with another’s MAC': ({ id }) => callWith(id, 'mac'),
  'whose body was altered': ({ id }) => change(id, `body = replace(body, '"version":1', '"version":2')`),
  'whose body was altered in its form only': ({ id }) => change(id, `body = body || ' '`),
  'whose MAC was altered': ({ id }) => change(id, 'mac = set_byte(mac, 0, 255 - get_byte(mac, 0))'),
  'whose MAC was cut': ({ id }) => change(id, 'mac = substring(mac for 31)'),
  'turned to another type': ({ id }) => change(id, `type = 'request.failed'`),
  'turned to another request': ({ id }) => change(id, `subject_id = 'req_other'`),
  'turned to another number': ({ id }) => change(id, 'number = number + 1'),
  'whose number is gone': ({ id }) => change(id, 'number = null'),
  'turned to another account': ({ id, other }) => change(id, 'account_id = $2', other.accountId),
};

// Broke: `select write_event(…)`, with SQL alone, had the service sign any event with an endpoint's secret and post it.
test.each(Object.keys(FORGERIES))(
  'an event %s is neither posted nor listed, and is reported; those next to it are',
  async (kind) => {
    const { caller, anEvent } = await aSubscriber();
    const { caller: other } = await aSubscriber();
    const [first, second, third] = [await anEvent(), await anEvent(), await anEvent()];
    const forged = (await FORGERIES[kind]?.({ id: second, other })) ?? '';
    const honest = [first, second, third].filter((id) => id !== forged);

    const claimed = await claimEvents();
    const posted = claimed.flatMap(({ eventId, message }) => (message === null ? [] : [eventId]));
    expect(posted.toSorted()).toEqual(honest);
    expect(reported).toEqual([{ table: 'event', id: forged }]);
    const unsent = claimed.filter(({ message }) => message === null);
    expect(unsent).toEqual([expect.objectContaining({ eventId: forged, isEventAltered: true })]);

    expect(await listedTo(caller)).toEqual({ ids: honest, more: false });
    expect(await listedTo(caller, { after: first, limit: honest.length - 1 })).toEqual({
      ids: honest.slice(1),
      more: false,
    });
    expect(new Set(reported.map(({ id }) => id))).toEqual(new Set([forged]));
    for (const reader of [other, aPlatformCaller()])
      expect((await listedTo(reader)).ids).not.toContain(forged);
  },
);

test('the function refuses an event without any MAC', async () => {
  const { caller, anEvent } = await aSubscriber();
  const id = await anEvent();
  await expect(callWith(id, 'null::bytea')).rejects.toThrow('"mac"');
  expect((await listedTo(caller)).ids).toEqual([id]);
});

// Without it the service would sign for whatever a trigger makes of its events.
test('an event that a trigger alters as the service writes it is neither posted nor listed', async () => {
  const { caller, anEvent } = await aSubscriber();
  const before = await anEvent();
  await sql(`create function meddle() returns trigger language plpgsql as
    $$ begin new.body := replace(new.body, '"version":1', '"version":7'); return new; end $$`);
  await sql('create trigger meddle before insert on event for each row execute function meddle()');
  const altered = await anEvent();
  await sql('drop function meddle cascade');
  const after = await anEvent();
  const claimed = await claimEvents();
  expect(claimed.filter(({ message }) => message === null)).toMatchObject([
    { eventId: altered, isEventAltered: true },
  ]);
  expect(claimed).toHaveLength(3);
  expect((await listedTo(caller)).ids).toEqual([before, after]);
});

// Without it a list would end, or a reader wait for ever, at a page of what somebody wrote by SQL.
test('a reader passes over any number of events that the service did not write', async () => {
  const { caller, anEvent } = await aSubscriber();
  const first = await anEvent();
  for (let count = 0; count < 5; count += 1) await copyOf(first, 'mac');
  const second = await anEvent();
  expect(await listedTo(caller, { limit: 1 })).toEqual({ ids: [first], more: true });
  expect(await listedTo(caller, { limit: 1, after: first })).toEqual({ ids: [second], more: false });
  expect(await listedTo(caller, { limit: 2 })).toEqual({ ids: [first, second], more: false });
});

// Without it its delivery would be claimed for ever, or be shown as one of what somebody made up.
test('the delivery of an altered event ends unsent, shows no type, and ends so each time', async () => {
  const { caller, anEvent } = await aSubscriber();
  await change(await anEvent(), `type = 'request.failed'`);
  for (let round = 1; round <= 2; round += 1) {
    const [claimed = expect.fail()] = await claimEvents();
    expect(claimed).toMatchObject({ isEventAltered: true, message: null });
    expect(await giveUpDelivery(store, claimed)).toEqual({ kind: 'given_up' });
    const { items } = await searchDeliveries(store, { caller, limit: 10, status: 'exhausted' });
    expect(items).toMatchObject([
      { delivery_id: claimed.deliveryId, event_type: null, reason: 'webhook_exhausted', attempt_count: 0 },
    ]);
    expect(await getDelivery(store, { caller, deliveryId: claimed.deliveryId })).toMatchObject({
      delivery: { event_type: null, attempts: [] },
    });
    expect(await claimEvents()).toEqual([]);
    const asked = { caller, since: new Date(0), limit: 10 };
    const counted = await redeliverExhausted(store, { ...asked, token: null });
    if (counted.kind !== 'counted') throw new Error(counted.kind);
    await redeliverExhausted(store, { ...asked, token: counted.answer.token });
  }
});

describe('an event as the service wrote it', () => {
  // Without it one delivery turned by SQL would have another account's events signed for its own receiver.
  test('of another account is not posted to an endpoint of its own account’s events', async () => {
    const { anEvent } = await aSubscriber();
    const mine = await aSubscriber();
    const [theirs, own] = [await anEvent(), await mine.anEvent()];
    await queue.empty();
    await sql(
      `delete from delivery_queue where delivery_id in (select id from delivery where event_id = $1)`,
      [theirs],
    );
    await deliver(own, theirs);
    expect(await claimEvents()).toEqual([
      expect.objectContaining({ eventId: theirs, accountId: mine.caller.accountId, message: null }),
    ]);
  });

  test('of a held output is not posted to an account’s own endpoint', async () => {
    const { caller, anEvent } = await aSubscriber();
    const request = await aFinishedRequest(store, caller);
    await hold(store, anOutput(request, { insurance_data: [] }));
    const [held] = await sql<{ id: string }>(`select id from event where subject_id = $1 and number = 2`, [
      request.request_id,
    ]);
    const own = await anEvent();
    await queue.empty();
    await deliver(own, held?.id ?? '');
    expect(await claimEvents()).toEqual([expect.objectContaining({ eventId: held?.id, message: null })]);
  });

  // Without it a rotation of the master key would lose, and report, the events of 30 days.
  test('is posted and listed after the master key was rotated, also by a process that lacks the new one', async () => {
    const { connectionString } = await createTestDatabase();
    const [first, second] = [createMasterKey('k1'), createMasterKey('k2')];
    const told: AlteredRow[] = [];
    const openUnder = (encryptionKey: string) =>
      open({ connectionString, encryptionKey, onAlteredRow: (row) => told.push(row) });
    const older = await openUnder(first);
    const { caller } = await aSubscriber(older);
    await aFinishedRequest(older, caller);
    const both = await openUnder(`${second},${first}`);
    await aFinishedRequest(both, caller);
    const newer = await openUnder(second);
    for (const process of [older, both, newer])
      await until('both events show', async () => {
        const { items } = await listEvents(process, { caller, limit: 10 });
        return items.length === 2;
      });
    expect((await claimEvents(newer)).map(({ message }) => message !== null)).toEqual([true, true]);
    expect(told).toEqual([]);
    await expect(openUnder(createMasterKey('k3'))).rejects.toThrow(WrongMasterKeyError);
  });
});
