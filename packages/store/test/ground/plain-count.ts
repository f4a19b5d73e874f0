import type { TestStores } from './open-test-stores.ts';

/** A fact as a line's key, and its numbers. */
export type PlainFacts = Record<string, { count: number; sumMs: number; maxMs: number; histogram: string }>;

interface Event {
  readonly account: string;
  readonly kind: string;
  readonly at: Date;
  readonly payer: string | null;
  readonly channel: string | null;
  readonly reason: string | null;
  readonly ms: number | null;
}

const HOUR_MS = 3_600_000;

/** The facts of every row in the raw tables, counted one by one. */
export async function plainCount({ sql }: Pick<TestStores, 'sql'>): Promise<PlainFacts> {
  const modes = new Map<string, string>(
    (await sql<{ id: string; mode: string }>('select id, mode from account')).map(({ id, mode }) => [
      id,
      mode,
    ]),
  );
  const facts = new Map<
    string,
    { count: number; sumMs: number; maxMs: number; buckets: Map<number, number> }
  >();
  const add = (scope: string, { kind, at, payer, channel, reason, ms }: Event) => {
    const hour = new Date(Math.floor(at.getTime() / HOUR_MS) * HOUR_MS).toISOString();
    const key = [scope, kind, hour, payer ?? '', channel ?? '', reason ?? ''].join(' ');
    const fact = facts.get(key) ?? { count: 0, sumMs: 0, maxMs: 0, buckets: new Map<number, number>() };
    facts.set(key, fact);
    fact.count += 1;
    if (ms === null) return;
    fact.sumMs += ms;
    fact.maxMs = Math.max(fact.maxMs, ms);
    const bucket = ms < 1 ? -115 : Math.ceil((8 * Math.log(ms / 20_000)) / Math.log(2));
    fact.buckets.set(bucket, (fact.buckets.get(bucket) ?? 0) + 1);
  };
  for (const event of await events(sql)) {
    if (event.account !== '') add(event.account, event);
    add(modes.get(event.account) ?? 'live', event);
  }
  return Object.fromEntries(
    [...facts].map(([key, { buckets, ...fact }]) => [
      key,
      {
        ...fact,
        histogram: [...buckets]
          .toSorted(([one], [other]) => one - other)
          .map(([bucket, count]) => `${bucket}:${count}`)
          .join(' '),
      },
    ]),
  );
}

/** The facts as stored. */
export async function storedFacts({ sql }: Pick<TestStores, 'sql'>): Promise<PlainFacts> {
  const rows = await sql<{ key: string; count: number; sum_ms: string; max_ms: string; histogram: string }>(
    `select concat_ws(' ', account_id, kind, to_char(hour at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS".000Z"'),
       payer_id, channel, reason) as key, count, sum_ms, max_ms,
       coalesce((select string_agg(bucket || ':' || n, ' ' order by place)
         from unnest(buckets, bucket_counts) with ordinality as histogram (bucket, n, place)), '') as histogram
     from hourly_fact`,
  );
  return Object.fromEntries(
    rows.map(({ key, count, sum_ms, max_ms, histogram }) => [
      key,
      { count, sumMs: Number(sum_ms), maxMs: Number(max_ms), histogram },
    ]),
  );
}

interface Exchange {
  readonly status: number | null;
  readonly answered: boolean;
  readonly number: number | null;
  readonly dental: number[] | null;
  readonly medical: number[] | null;
}

/** Durations are rounded by the server, to whole milliseconds: a `Date` has no microseconds to round. */
const ms = (start: string, end: string) => `(extract(epoch from ${end} - ${start}) * 1000)::bigint::int`;

async function events(sql: TestStores['sql']): Promise<Event[]> {
  const requests = await sql<Event>(
    `select account_id as account, 'received' as kind, received_at as at, payer_id as payer from request`,
  );
  const needed = await sql<Event & { met: boolean }>(
    `select account_id as account, greatest(needed_by, received_at) as at, payer_id as payer,
       coalesce((select applied_at <= needed_by from result where request_id = request.id and version = 1), false) as met
     from request where needed_by < now()`,
  );
  const results = await sql<Event & { version: number; outcome: string }>(
    `select request.account_id as account, result.applied_at as at, request.payer_id as payer, result.outcome,
       result.version, ${ms('received_at', 'applied_at')} as ms,
       (select channel from verification_attempt a where a.request_id = result.request_id and a.result_version = result.version) as channel,
       (select error_reason from verification_attempt a where a.request_id = result.request_id and a.result_version = result.version) as reason
     from result join request on request.id = result.request_id`,
  );
  const attempts = await sql<Event & { outcome: string }>(
    `select account_id as account, outcome, ended_at as at, payer_id as payer, channel, error_reason as reason,
       ${ms('started_at', 'ended_at')} as ms from verification_attempt where corrects is null`,
  );
  const exchanges = await sql<Event & Exchange>(
    `select account_id as account, started_at as at, payer_id as payer, 'api' as channel, error_reason as reason,
       duration_ms as ms, status_code as status, answer is not null as answered, inquiry_number as number,
       dental_codes as dental, medical_codes as medical from x12_exchange`,
  );
  const sends = await sql<Event & { id: string; waited: number }>(
    `select delivery.account_id as account, delivery.id, coalesce(recorded_at, at) as at, outcome as reason,
       duration_ms as ms, greatest(${ms('accepted_at', 'coalesce(recorded_at, at)')}, 0) as waited
     from delivery_attempt join delivery on delivery.id = delivery_attempt.delivery_id order by delivery.id, number`,
  );
  const held = await sql<Event & { settled_at: Date | null; status: string }>(
    `select coalesce(request.account_id, '') as account, coalesce(request.payer_id, '') as payer, held_output.received_at as at,
       reason, settled_at, status, ${ms('held_output.received_at', 'settled_at')} as ms
     from held_output left join request on request.id = request_id`,
  );
  const delivered = new Set<string>();
  return [
    ...requests.map((one) => ({ ...one, channel: null, reason: null, ms: null })),
    ...needed.map(({ met, ...one }) => ({
      ...one,
      kind: met ? 'met' : 'overdue',
      channel: null,
      reason: null,
      ms: null,
    })),
    ...results.map(({ version, outcome, ...one }) => {
      if (version > 1) return { ...one, kind: 'corrected', reason: null, ms: null };
      return outcome === 'complete'
        ? { ...one, kind: 'completed', reason: null }
        : { ...one, kind: 'not_verified' };
    }),
    ...attempts
      .filter(({ outcome }) => outcome === 'succeeded' || outcome === 'failed')
      .map((one) => ({ ...one, kind: `attempt_${one.outcome}` })),
    ...exchanges.flatMap(({ status, answered, number, dental, medical, ...one }) => {
      const untimed = { ...one, ms: null };
      const further = { ...untimed, kind: 'further_inquiry', reason: null };
      const codes = Object.entries({ dental, medical }).flatMap(([reason, counts]) =>
        ['code_asked', 'code_answered', 'code_refused'].flatMap((kind, index) =>
          Array.from({ length: counts?.[index] ?? 0 }, () => ({ ...untimed, kind, reason })),
        ),
      );
      return [
        { ...one, kind: status === 200 && answered ? 'payer_answered' : 'payer_silent' },
        ...((number ?? 1) > 1 ? [further] : []),
        ...codes,
      ];
    }),
    ...sends.flatMap(({ id, waited, ...one }) => {
      const isFirst = one.reason === 'succeeded' && !delivered.has(id);
      if (isFirst) delivered.add(id);
      const sent = { ...one, kind: 'sent', payer: null, channel: null };
      return isFirst ? [sent, { ...sent, kind: 'delivered', reason: null, ms: waited }] : [sent];
    }),
    ...held.flatMap(({ settled_at: settledAt, status, ...one }) => {
      const taken = { ...one, kind: 'held', channel: null, ms: null };
      return settledAt ? [taken, { ...one, kind: `held_${status}`, channel: null, at: settledAt }] : [taken];
    }),
  ];
}
