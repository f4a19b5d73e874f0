import { countFacts } from '@insurance-verification/store';
import { aFolder } from '@insurance-verification/testing/a-folder';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { fillVolume, type Volume } from '../../bench/volume/fill-volume.ts';
import { volumeOperations } from '../../bench/volume/volume-operations.ts';
import {
  startVolumeServer,
  type VolumeDatabase,
  type VolumeServer,
} from '../../bench/volume/volume-server.ts';

type Filled = VolumeDatabase & { readonly volume: Volume };
let server: VolumeServer;
/** All by the store's operations. */
let made: Filled;
/** Two thirds copies, the last third made. Broke: of two copies, the second had the same receivers as the first. */
let copied: Filled;

beforeAll(async () => {
  server = await startVolumeServer(aFolder());
  const fill = async (name: string, generationCount: number): Promise<Filled> => {
    const database = await server.open(name);
    const size = { requestCount: 9_000, accountCount: 10, generationCount };
    return { ...database, volume: await fillVolume(database, size) };
  };
  made = await fill('made', 9_000);
  copied = await fill('copied', 3_000);
}, 120_000);
afterAll(() => server[Symbol.asyncDispose]());

const TABLES = [
  'request',
  'work_queue',
  'verification_attempt',
  'result',
  'delivery',
  'delivery_queue',
  'delivery_attempt',
  'access_log',
];

const read = async <Row>({ client }: VolumeDatabase, text: string) =>
  (await client.query(text)).rows as Row[];

/** The rows of a table by what became of them and by which of their columns are null, as shares of all. */
async function kindsOf(database: VolumeDatabase, table: string): Promise<Map<string, number>> {
  const rows = await read<{ kind: string; share: number }>(
    database,
    `select (
       select jsonb_object_agg(key, case
         when key in ('outcome', 'delivery', 'version', 'channel', 'status', 'reason', 'error_reason', 'operation',
           'number', 'attempt_count', 'is_leased') then value
         else to_jsonb(jsonb_typeof(value)) end)
       from jsonb_each(to_jsonb(row))
     )::text as kind, count(*) / sum(count(*)) over ()::float8 as share
     from ${table} as row ${table === 'access_log' ? 'where request_id is not null' : ''} group by 1`,
  );
  return new Map(rows.map(({ kind, share }) => [kind, share]));
}

// Without it the bench would measure rows that the service never leaves.
test.for(TABLES)('%s holds rows of the same kinds, copied or made', async (table) => {
  const [ofMade, ofCopied] = [await kindsOf(made, table), await kindsOf(copied, table)];
  expect([...ofCopied.keys()].toSorted()).toEqual([...ofMade.keys()].toSorted());
  for (const [kind, share] of ofMade)
    expect(Math.abs(share - (ofCopied.get(kind) ?? 0)), kind).toBeLessThan(0.01);
});

// Without it the bytes of a request, and the pages that an operation reads, would be those of the copying.
test('copied rows and their index entries take as many bytes as made ones', async () => {
  const pagesOf = (database: VolumeDatabase) =>
    read<{ name: string; rows: number; indexes: number }>(
      database,
      `select name, sum(pg_relation_size(relid))::float8 / 8192 as rows,
         sum(pg_indexes_size(relid))::float8 / 8192 as indexes
       from unnest('{request,verification_attempt,result,delivery,delivery_attempt,access_log}'::text[]) as name
       cross join lateral (
         select relid from pg_partition_tree(name::regclass) where isleaf union select name::regclass
       ) as leaf group by name order by name`,
    );
  const [ofMade, ofCopied] = [await pagesOf(made), await pagesOf(copied)];
  for (const [at, { name, rows, indexes }] of ofMade.entries()) {
    const copies = ofCopied[at] ?? { rows: 0, indexes: 0 };
    expect(Math.abs(copies.rows / rows - 1), name).toBeLessThan(0.04);
    expect(Math.abs(copies.indexes / indexes - 1), name).toBeLessThan(0.1);
  }
});

// Without it an operation would find nothing where the service's own rows have something.
test('what a copied row names is there, and its id gives its time', async () => {
  const [counts] = await read<Record<string, number>>(
    copied,
    `select
       (select count(*)::int from request) as requests,
       (select extract(days from now() - min(received_at))::int from request) as days,
       (select count(*) from (select received_at < lag(received_at) over (order by id) as is_earlier from request) as line
         where is_earlier)::int as out_of_order,
       (select count(*) from work_queue where not exists (select from request
         where id = request_id and outcome = 'none'))::int as work_queue,
       (select count(*) from request where outcome = 'none' and id not in (select request_id from work_queue))::int as work,
       (select count(*) from verification_attempt where request_id not in (select id from request))::int as attempts,
       (select count(*) from result where not exists (select from request
         where id = request_id and request.version = result.version and request.outcome = result.outcome))::int as results,
       (select count(*) from delivery where not exists (select from result
         where result.request_id = delivery.request_id and result.version = delivery.version))::int as deliveries,
       (select count(*) from delivery_queue where not exists (select from delivery
         where id = delivery_id and done_at is null
           and delivery.destination_host = delivery_queue.destination_host))::int as delivery_queue,
       (select count(*) from delivery where done_at is null
         and id not in (select delivery_id from delivery_queue))::int as waiting,
       (select count(*) from delivery_attempt where delivery_id not in (select id from delivery))::int as sent,
       (select count(*) from access_log
         where request_id is not null and request_id not in (select id from request))::int as access_log`,
  );
  expect(counts).toEqual({
    requests: 9_000,
    days: expect.toSatisfy((days: number) => days > 150),
    out_of_order: 0,
    work_queue: 0,
    work: 0,
    attempts: 0,
    results: 0,
    deliveries: 0,
    delivery_queue: 0,
    waiting: 0,
    sent: 0,
    access_log: 0,
  });
});

// Without it reports would read figures of other requests than there are.
test('the facts of copies are what counting them gives', async () => {
  const facts = () =>
    read(copied, 'select * from hourly_fact order by account_id, kind, hour, payer_id, channel, reason');
  const before = await facts();
  await copied.client.query(`delete from hourly_fact; update fact_progress set counted_until = '-infinity'`);
  for (;;) {
    const counted = await countFacts(copied.store, { spanSeconds: 30 * 86_400, settledSeconds: 0 });
    if (counted.kind === 'counted' && counted.caughtUp) break;
  }
  expect(before.length).toBeGreaterThan(100);
  expect(await facts()).toEqual(before);
});

/** What an answer is made of, however it is called and whenever it was. */
function shapeOf(answer: unknown): unknown {
  if (answer instanceof Date || Buffer.isBuffer(answer)) return answer.constructor.name;
  if (Array.isArray(answer)) return answer.map(shapeOf);
  if (typeof answer !== 'object' || answer === null) return answer === null ? null : typeof answer;
  return Object.fromEntries(Object.entries(answer).map(([name, value]) => [name, shapeOf(value)]));
}

// Without it a claim of a copy, whose sealed values were another row's, would be measured without what it is for.
test('every measured operation answers alike over copied and made rows', async () => {
  const ofMade = volumeOperations(made, made.volume);
  const ofCopied = volumeOperations(copied, copied.volume);
  for (const [at, { name, call }] of ofMade.entries())
    expect(shapeOf(await ofCopied[at]?.call()), name).toEqual(shapeOf(await call()));
});
