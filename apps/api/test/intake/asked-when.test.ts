import type { RequestList, RequestModel, RequestView, WorkItemList } from '@insurance-verification/schema';
import { aRequest } from '@insurance-verification/testing/a-request';
import { describe, expect, test } from 'vitest';
import { aKey } from '../a-key.ts';
import { useService } from '../a-service.ts';
import { rows } from '../rows.ts';
import { type Transport, transports } from '../transports.ts';

const service = useService();

const DAY_MS = 86_400_000;
const inDays = (days: number) => new Date(Date.now() + days * DAY_MS).toISOString();
const day = (days: number) => inDays(days).slice(0, 10);

interface Said {
  readonly 'service-date'?: string;
  readonly 'needed-by'?: string;
  readonly gender?: string;
}
const create = (transport: Transport, said: Said, more: Record<string, string> = {}, key?: string) =>
  transport.call(
    service,
    'requests.create',
    { ...aRequest() },
    { headers: { ...said, ...more }, ...(key !== undefined && { key }) },
  );

const NO_DAY = { msg: 'Value should be a day of the calendar, YYYY-MM-DD', type: 'date_parsing' };
const TOO_FAR = {
  msg: 'Value should be a day at most a year before or after today',
  type: 'date_out_of_range',
};
const NO_INSTANT = {
  msg: 'Value should be a date and time with an offset, as in RFC 3339: 2026-11-26T17:00:00Z',
  type: 'datetime_parsing',
};
const PAST = { msg: 'Value should be in the future', type: 'datetime_future' };

describe.each(transports)('Service-Date and Needed-By over $name', (transport) => {
  // Breaks if a patient whom a payer asks the gender of cannot be verified, or if it is readable in the database or shown in an answer.
  test('a gender is kept encrypted, and neither echoed nor shown', async () => {
    const key = await aKey(service);
    const answer = await create(transport, { gender: 'f' }, { 'idempotency-key': 'with-gender' }, key);
    expect(answer.status).toBe(200);
    expect(answer.headers).not.toHaveProperty('gender');
    const { request_id: id } = transport.output<RequestModel>(answer);
    const view = await transport.call(service, 'requests.view', { request_id: id ?? '' }, { key });
    expect(JSON.stringify(view)).not.toMatch(/gender/i);
    const [row] = await rows<{ gender: Buffer }>(
      service.databaseUrl,
      'select gender from request where id = $1',
      [id],
    );
    expect(row?.gender.length).toBeGreaterThan(20);
    const other = await create(transport, { gender: 'M' }, { 'idempotency-key': 'with-gender' }, key);
    expect(JSON.stringify(other.json)).toContain('idempotency_key_reused');
  });

  test.each(['X', 'female'])('a gender %j is refused', async (gender) => {
    const answer = await create(transport, { gender });
    const fault = { loc: ['header', 'gender'], msg: 'Value should be F, M or U', type: 'literal_error' };
    expect(answer.json).toEqual(transport.invalid(fault));
  });

  // Without it the day that a visit is on, or by when its desk needs the answer, would be lost on the way.
  test('both are echoed, kept, and shown to who asks and who works', async () => {
    const key = await aKey(service);
    const [serviceDate, neededBy] = [day(7), inDays(0.5)];
    const said = { 'service-date': serviceDate, 'needed-by': neededBy };
    const answer = await create(transport, said, {}, key);
    expect(answer.status).toBe(200);
    expect(answer.headers).toMatchObject(said);
    const stored = transport.output<RequestModel>(answer);
    expect(Object.keys(stored)).toEqual([
      'request_id',
      'input',
      'received_timestamp',
      'state',
      'error_reason',
    ]);
    const view = await transport.call(
      service,
      'requests.view',
      { request_id: stored.request_id ?? '' },
      { key },
    );
    expect(transport.output<RequestView>(view)).toMatchObject({
      service_date: serviceDate,
      needed_by: neededBy,
      overdue: false,
    });
    const found = await service.answer<{ items: unknown[] }>(
      'POST',
      '/requests/search',
      { request_id: stored.request_id },
      key,
    );
    expect(found.items).toMatchObject([{ needed_by: neededBy, overdue: false }]);
    const channels = ['manual_phone_call', 'manual_web_portal', 'agent_web_portal', 'agent_phone_call'];
    const { items } = await service.answer<WorkItemList>('POST', '/work/claim', { channels, max: 50 });
    const item = items.find(({ request }) => request.request_id === stored.request_id);
    expect(item).toMatchObject({ service_date: serviceDate, needed_by: neededBy });
  });

  test('without them nothing is echoed, and the view says so', async () => {
    const answer = await create(transport, {});
    expect([answer.headers['service-date'], answer.headers['needed-by']]).toEqual([undefined, undefined]);
    const { request_id: id } = transport.output<RequestModel>(answer);
    const view = await transport.call(service, 'requests.view', { request_id: id ?? '' });
    expect(transport.output<RequestView>(view)).toMatchObject({ service_date: null, needed_by: null });
  });

  test('an instant with another offset is echoed as it was sent, and shown in UTC', async () => {
    const at = new Date(Date.now() + DAY_MS);
    const local = new Date(at.getTime() - 5 * 3_600_000).toISOString().replace(/\.\d+Z$/, '-05:00');
    const answer = await create(transport, { 'needed-by': local });
    expect(answer.headers['needed-by']).toBe(local);
    const { request_id: id } = transport.output<RequestModel>(answer);
    const view = transport.output<RequestView>(
      await transport.call(service, 'requests.view', { request_id: id }),
    );
    expect(view.needed_by).toBe(`${at.toISOString().slice(0, 19)}.000Z`);
  });

  // Without it a payer would be asked about a day that does not exist, or the deadline would be lost.
  test.each<[string, Said, object[]]>([
    ['no day', { 'service-date': '2026-02-30' }, [NO_DAY]],
    ['a day in words', { 'service-date': '3 December 2026' }, [NO_DAY]],
    ['a time in place of a day', { 'service-date': '2026-12-03T00:00:00Z' }, [NO_DAY]],
    ['an empty day', { 'service-date': '' }, [NO_DAY]],
    ['a day beyond a year', { 'service-date': day(367) }, [TOO_FAR]],
    ['a day of years ago', { 'service-date': day(-367) }, [TOO_FAR]],
    ['a day in place of an instant', { 'needed-by': day(3) }, [NO_INSTANT]],
    ['an instant without an offset', { 'needed-by': '2999-01-01T00:00:00' }, [NO_INSTANT]],
    ['an instant that is none', { 'needed-by': '2999-02-29T00:00:00Z' }, [NO_INSTANT]],
    ['an hour that is none', { 'needed-by': '2999-01-01T24:00:00Z' }, [NO_INSTANT]],
    ['a year of five digits in UTC', { 'needed-by': '9999-12-31T23:59:59-01:00' }, [NO_INSTANT]],
    ['an empty instant', { 'needed-by': '' }, [NO_INSTANT]],
    ['an instant that is past', { 'needed-by': inDays(-0.001) }, [PAST]],
    ['both of them', { 'service-date': 'x', 'needed-by': 'y' }, [NO_DAY, NO_INSTANT]],
  ])('%s is refused, and nothing is stored', async (_, said, faults) => {
    const key = await aKey(service);
    const answer = await create(transport, said, {}, key);
    const where = (fault: object) =>
      fault === NO_DAY || fault === TOO_FAR ? ['header', 'service-date'] : ['header', 'needed-by'];
    const detail = faults.map((fault) => ({ loc: where(fault), ...fault }));
    expect([answer.status, answer.json]).toEqual([422, transport.invalid(...(detail as never[]))]);
    expect((await service.answer<RequestList>('GET', '/requests/', undefined, key)).items).toEqual([]);
  });

  test.each(['a year ago', 'in a year'])('a day %s is taken', async (when) => {
    const today = day(0);
    const year = Number(today.slice(0, 4)) + (when === 'in a year' ? 1 : -1);
    expect((await create(transport, { 'service-date': `${year}${today.slice(4)}` })).status).toBe(200);
  });

  // Without it a retry for another day would be answered with the first one, and nobody would ask about its day.
  test('the same key with another value is refused, with the same values answered as first', async () => {
    const key = await aKey(service);
    const retry = { 'idempotency-key': 'visit' };
    const said = { 'service-date': day(7), 'needed-by': inDays(1) };
    const first = await create(transport, said, retry, key);
    const again = await create(transport, said, retry, key);
    expect([again.status, again.text, again.headers['idempotency-replayed']]).toEqual([
      200,
      first.text,
      'true',
    ]);
    expect(again.headers).toMatchObject(said);
    const others: Said[] = [
      {},
      { 'service-date': said['service-date'] },
      { 'needed-by': said['needed-by'] },
      { ...said, 'service-date': day(8) },
      { ...said, 'needed-by': inDays(2) },
    ];
    for (const other of others) {
      const answer = await create(transport, other, retry, key);
      expect(answer.status).toBe(422);
      expect(answer.text).toContain('idempotency_key_reused');
    }
  });

  // Broke for callbacks once: a retry must get its first answer although the same would be refused today.
  test('a repeat is answered as first when the time is past by then', async () => {
    const key = await aKey(service);
    const retry = { 'idempotency-key': 'late' };
    const said = { 'needed-by': new Date(Date.now() + 1_500).toISOString() };
    const first = await create(transport, said, retry, key);
    expect(first.status).toBe(200);
    await expect
      .poll(async () => (await create(transport, said, {}, key)).status, { timeout: 10_000 })
      .toBe(422);
    const again = await create(transport, said, retry, key);
    expect([again.status, again.text]).toEqual([200, first.text]);
    const { request_id: id } = transport.output<RequestModel>(first);
    const view = await transport.call(service, 'requests.view', { request_id: id ?? '' }, { key });
    expect(transport.output<RequestView>(view).overdue).toBe(true);
  });
});

// The headers are about one call; in a batch they would be about several.
test.each<Said>([{ 'service-date': day(1) }, { 'needed-by': inDays(1) }])(
  'a tRPC batch with %o is 400, and nothing is stored',
  async (said) => {
    const key = await aKey(service);
    const answer = await service.ask('POST', '/trpc/requests.create,requests.create?batch=1', {
      key,
      headers: { ...said },
      body: { 0: aRequest(), 1: aRequest() },
    });
    expect(answer.status).toBe(400);
    expect(answer.text).toContain('header_on_batch');
    expect((await service.answer<RequestList>('GET', '/requests/', undefined, key)).items).toEqual([]);
  },
);

// A visit's day beside its patient is the patient's data.
test('the day is encrypted at rest', async () => {
  const [transport] = transports;
  if (!transport) throw new Error('No transport.');
  const answer = await create(transport, { 'service-date': day(9) });
  const { request_id: id } = transport.output<RequestModel>(answer);
  const [row] = await rows<{ service_date: Buffer }>(
    service.databaseUrl,
    'select service_date from request where id = $1',
    [id],
  );
  expect(row?.service_date.length).toBeGreaterThan(20);
  expect(row?.service_date.includes(day(9))).toBe(false);
});
