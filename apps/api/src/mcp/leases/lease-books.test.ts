import type { WorkItem } from '@insurance-verification/schema';
import { expect, test } from 'vitest';
import { ProblemError } from '../../procedure/problem.ts';
import type { CallOperation } from '../call-operation.ts';
import type { LeaseBook } from './lease-book.ts';
import { LeaseBooks } from './lease-books.ts';
import { Presence } from './presence.ts';

function anItem(requestId: string): WorkItem {
  const endsInAnHour = new Date(Date.now() + 3_600_000).toISOString();
  return {
    request: {
      request_id: requestId,
      input: {
        patient_info: { subscriber_id: 'W1' },
        payer_info: { name: 'Payer Plan 1' },
        provider_info: { npi: '1234567893', name: 'Clinic' },
        callback_url: 'http://127.0.0.1:9/',
      },
      received_timestamp: '2026-11-20T10:00:00Z',
      state: 'pending',
      error_reason: null,
    },
    service_date: null,
    needed_by: null,
    channel: 'agent_web_portal',
    lease_token: 'token',
    lease_expires_at: endsInAnHour,
    attempt: 1,
    history: [],
    payer: {
      name: 'Payer Plan 1',
      phone_number: null,
      menu_path: null,
      menu_path_changed_on: null,
      phones: [],
      opens_at: null,
      time_zone: null,
      portal_url: null,
      notes: null,
      sheet: null,
    },
  };
}

const presence = new Presence();

/** Answers each renewal so. */
const renewingBy = (answer: () => Promise<unknown>): CallOperation => answer as CallOperation;

const neverRenewed = renewingBy(async () => expect.unreachable('nothing is due'));

const claim = (book: LeaseBook, requestId: string, renewal = neverRenewed) =>
  book.claim({ presence, renewal }, async () => anItem(requestId));

test('a key’s calls share what it holds, and another key sees none of it', async () => {
  const books = new LeaseBooks();
  await claim(books.enter('key-1'), 'req_1');
  expect(books.enter('key-1').find('req_1')).toMatchObject({ requestId: 'req_1' });
  const other = books.enter('key-2');
  expect(other.find('req_1')).toBeUndefined();
  expect(() => other.take('req_1', presence)).toThrow('You hold no lease on req_1');
  expect(await other.takeLosses(presence)).toEqual([]);
});

test('a key that holds nothing is forgotten with its last call, one that holds something is not', async () => {
  const books = new LeaseBooks();
  const first = books.enter('key');
  const second = books.enter('key');
  expect(second).toBe(first);
  books.leave(first);
  expect(books.enter('key')).toBe(first);
  books.leave(first);
  books.leave(first);
  const next = books.enter('key');
  expect(next).not.toBe(first);
  const lease = await claim(next, 'req_1');
  books.leave(next);
  expect(books.enter('key')).toBe(next);
  if (lease) next.drop(lease);
  books.leave(next);
  expect(books.enter('key')).not.toBe(next);
});

test('a key holds a hundred requests, those that are being claimed with them', async () => {
  const book = new LeaseBooks().enter('key');
  for (let count = 0; count < 99; count += 1) await claim(book, `req_${count}`);
  const { promise: isAnswered, resolve: answer } = Promise.withResolvers<undefined>();
  const underWay = book.claim({ presence, renewal: neverRenewed }, () => isAnswered);
  await expect(claim(book, 'req_99')).rejects.toThrow('Your key holds 100 requests');
  answer(undefined);
  await underWay;
  await claim(book, 'req_99');
  await expect(claim(book, 'req_100')).rejects.toThrow('release some before the next claim_next');
});

test('what was lost is remembered, but no more of it than a key may hold', async () => {
  const book = new LeaseBooks().enter('key');
  for (let count = 0; count < 250; count += 1) {
    const lease = await claim(book, `req_${count}`);
    if (lease) lease.lost = 'lease_lost';
  }
  const isRemembered = (requestId: string) => {
    try {
      return book.take(requestId, presence);
    } catch (err) {
      return String(err).includes('You no longer hold');
    }
  };
  expect([isRemembered('req_49'), isRemembered('req_50'), isRemembered('req_249')]).toEqual([
    false,
    true,
    true,
  ]);
});

// The leases of a departed client expire without a renewal, and without a report of the loss.
test('a lease that has ended does not count, and is forgotten before one that has not', async () => {
  const book = new LeaseBooks().enter('key');
  for (let count = 0; count < 250; count += 1) {
    const lease = await claim(book, `req_${count}`);
    if (lease && count >= 98) lease.expiresAt = new Date(Date.now() - 1_000).toISOString();
  }
  expect(book.find('req_0')).toBeDefined();
  expect(book.find('req_98')).toBeUndefined();
  expect(book.find('req_249')).toBeDefined();
});

/** Three expired leases whose renewal is under way; the operation will know none of them. */
async function losing() {
  const asked = Promise.withResolvers<void>();
  const answered = Promise.withResolvers<void>();
  const renewal = renewingBy(async () => {
    asked.resolve();
    await answered.promise;
    throw new ProblemError('not_found');
  });
  const book = new LeaseBooks().enter('key');
  for (const requestId of ['req_1', 'req_2', 'req_3']) {
    const lease = await claim(book, requestId, renewal);
    if (lease) Object.assign(lease, { expiresAt: new Date(Date.now() - 1_000).toISOString(), renewAt: 0 });
  }
  const losses = book.takeLosses(presence);
  await asked.promise;
  return { book, losses, answer: answered.resolve };
}

test('what is submitted or taken over while losses are looked up is not reported as lost', async () => {
  const { book, losses, answer } = await losing();
  book.drop(book.take('req_1', presence));
  book.take('req_2', new Presence());
  answer();
  expect((await losses).map(({ requestId }) => requestId)).toEqual(['req_3']);
});

test('a renewal that fails leaves the loss that another call has found', async () => {
  const { book, losses, answer } = await losing();
  const lease = book.take('req_1', presence);
  lease.lost = 'key_refused';
  answer();
  await losses;
  expect(lease.lost).toBe('key_refused');
});

test('a lease that was given back leaves the next one of the same request', async () => {
  const book = new LeaseBooks().enter('key');
  const first = await claim(book, 'req_1');
  const second = await claim(book, 'req_1');
  if (first) book.drop(first);
  expect(book.find('req_1')).toBe(second);
});

// Broke: what was lost, or ended because its client was gone, stayed in memory for an hour.
test.each(['request_erased', 'lease_lost', 'not_found'] as const)(
  'a heartbeat that is refused as %s ends the lease, and its data leaves memory',
  async (code) => {
    const book = new LeaseBooks().enter('key');
    const lease = await claim(
      book,
      'req_1',
      renewingBy(async () => {
        throw new ProblemError(code);
      }),
    );
    if (!lease) return expect.unreachable('it was claimed');
    lease.renewAt = 0;
    await book.renewDue(Date.now());
    expect([lease.lost, lease.item]).toEqual([code === 'request_erased' ? code : 'lease_lost', undefined]);
    expect(JSON.stringify(lease)).not.toContain('W1');
  },
);

// A killed client or a closed laptop must not hold a request indefinitely.
test('a silent client’s lease is renewed for ten minutes, and its loss is reported when it comes back', async () => {
  const books = new LeaseBooks();
  const book = books.enter('key');
  const silent = new Presence();
  const renewed = new Date(Date.now() + 7_200_000).toISOString();
  const renewal = renewingBy(async () => ({ lease_expires_at: renewed }));
  const lease = await book.claim({ presence: silent, renewal }, async () => anItem('req_1'));
  if (!lease) return expect.unreachable('it was claimed');
  await books.renewDue(Date.now() + 9 * 60_000);
  expect(lease.expiresAt).toBe(renewed);
  lease.expiresAt = new Date().toISOString();
  await books.renewDue(Date.now() + 11 * 60_000);
  expect(book.find('req_1')).toBeUndefined();
  expect(await book.takeLosses(silent)).toEqual([lease]);
  expect(() => book.take('req_1', silent)).toThrow('You no longer hold req_1');
});

test('a lease that was not renewed keeps no data a minute after its end, and is remembered for an hour', async () => {
  const books = new LeaseBooks();
  const book = books.enter('key');
  const lease = await claim(book, 'req_1');
  if (!lease) return expect.unreachable('it was claimed');
  const end = Date.parse(lease.expiresAt);
  await books.renewDue(end + 59_000);
  expect(lease.item).toBeDefined();
  await books.renewDue(end + 61_000);
  expect([lease.item, book.find('req_1')]).toEqual([undefined, undefined]);
  expect(() => book.take('req_1', presence)).toThrow('You no longer hold req_1');
});
