import { expect, test } from 'vitest';
import { endHold, eraseDue, placeHold } from '../src/index.ts';
import { aBatchOf } from './ground/a-batch-of.ts';
import { aRequestWithEverything } from './ground/a-request-with-everything.ts';
import { aged } from './ground/an-aged-request.ts';
import { openTestStores } from './ground/open-test-stores.ts';
import { aPrivacyPerson, erase } from './ground/some-people.ts';
import { aPlatformCaller } from './ground/stages.ts';

const stores = await openTestStores();
const { store, sql } = stores;

/** Of bytes that stay: why. By table and column. */
const STAYS: Readonly<Record<string, string>> = {
  'delivery.destination_host': 'a keyed hash of host and port, by which deliveries are listed and counted',
  'verification_attempt.lease_hash': 'the digest of a random token',
  'idempotency_key.key':
    'a keyed hash, for 48 hours: a repeat of the post is answered 410, and makes no other request',
};

/** Tables with bytes that are about no request: what they are about. */
const OF_NO_REQUEST: Readonly<Record<string, string>> = {
  account: 'the account',
  api_key: 'the key',
  applied_bootstrap: 'the environment',
  audit_seal: 'hashes of lines of the audit, which stay',
  batch: 'a file, by keyed hashes',
  batch_staged: 'rows that are no requests yet',
  data_key: 'the account',
  delivery_queue: 'unfinished deliveries alone',
  earlier_webhook_secret: 'the account',
  emergency_access: 'a session',
  event: 'ids and times, by a keyed hash',
  look: 'what a session asked for, by a keyed hash, for 15 minutes',
  master_key_check: 'the master key',
  page_probe: 'random bytes, which only try whether the disk takes a page',
  passkey: 'a person',
  receiver: 'a host, by a keyed hash',
  receiver_hour: 'a host, by a keyed hash',
  sign_in_link: 'a person',
  staff_session: 'a person',
  used_logout_token: 'a person',
  used_passkey_challenge: 'a person',
  webhook_endpoint: 'the account',
};

/** How the rows of a table are about the requests of `$1`. */
const ABOUT: Readonly<Record<string, string>> = {
  request: 'id = any ($1)',
  held_output: 'coalesce(request_id, named_request_id) = any ($1)',
  legal_hold: 'request_id = any ($1)',
  delivery_attempt: 'delivery_id in (select id from delivery where request_id = any ($1))',
};

/** The sizes of every column of bytes, of all rows about these requests. */
async function bytesLeft(requestIds: readonly string[]): Promise<Map<string, number>> {
  const columns = await sql<{ table: string; column: string; named: boolean }>(
    `select table_name as "table", column_name as "column", exists (
       select from information_schema.columns other
       where other.table_name = bytes.table_name and other.column_name = 'request_id') as named
     from information_schema.columns bytes join pg_class on oid = quote_ident(table_name)::regclass
     where table_schema = 'public' and data_type = 'bytea' and relkind in ('r', 'p') and not relispartition`,
  );
  const left = new Map<string, number>();
  for (const { table, column, named } of columns) {
    if (Object.hasOwn(OF_NO_REQUEST, table)) continue;
    const about = ABOUT[table] ?? (named ? 'request_id = any ($1)' : null);
    if (about === null) throw new Error(`Is ${table}.${column} about a request? Say so here.`);
    const [row] = await sql<{ bytes: number }>(
      `select coalesce(sum(octet_length(${column})), 0)::int as bytes from ${table} where ${about}`,
      [requestIds],
    );
    left.set(`${table}.${column}`, row?.bytes ?? 0);
  }
  return left;
}

/** As {@link aRequestWithEverything}, of long ago, and with what a race leaves beside a result. */
async function anOldRequestWithEverything(): Promise<string> {
  const { requestId } = await aRequestWithEverything(stores);
  const id = await aged(stores, requestId, 40);
  // Of a draft that was saved as the result came, and of a note.
  await sql(`insert into draft (request_id, written_by, revision, body) values ($1, 'stf_x', 1, 'typed')`, [
    id,
  ]);
  const { batch_id: batchId } = await aBatchOf(stores, id);
  await sql(`update batch_row set digest = $2 where batch_id = $1`, [batchId, Buffer.from(`row of ${id}`)]);
  await sql(`insert into known_answer (request_id, seeded_by, answer) values ($1, 'stf_x', 'right')`, [id]);
  await sql(
    `update held_output set note = 'dismissed', benefits = 'said', evidence = 'why' where request_id = $1`,
    [id],
  );
  const covers = { requestId: id };
  const placed = await placeHold(store, {
    caller: aPlatformCaller(),
    covers,
    reason: 'Jane against the clinic',
  });
  if (placed.kind === 'placed')
    await endHold(store, { caller: aPlatformCaller(), holdId: placed.hold.hold_id });
  return id;
}

/** Every value in every row of every table, and where it is: encrypted values, digests, numbers to look up by. */
async function everyValue(): Promise<Map<string, string>> {
  const tables = await sql<{ name: string }>(
    `select quote_ident(relname) as name from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace`,
  );
  const places = new Map<string, string>();
  for (const { name } of tables)
    for (const row of await sql<Record<string, unknown>>(`select * from ${name}`))
      for (const [column, value] of Object.entries(row)) {
        if (Buffer.isBuffer(value) && value.length > 0)
          places.set(value.toString('hex'), `${name}.${column}`);
        if (/^(member|npi)_index$/.test(column) && value !== '0')
          places.set(String(value), `${name}.${column}`);
      }
  return places;
}

/** How a request is erased. */
const WAYS = {
  'at the end of its retention': async (id: string) => {
    await sql(
      'update account set retention_days = 30 where id = (select account_id from request where id = $1)',
      [id],
    );
    expect(await eraseDue(store, { limit: 10 })).toMatchObject({ kind: 'erased', count: 1 });
  },
  'because somebody asked for it': async (id: string) => {
    const done = await erase(store, id, { confirmer: await aPrivacyPerson(store) });
    expect(done).toMatchObject({
      kind: 'confirmed',
      erasure: {
        certificate: {
          erased: {
            results: 2,
            deliveries: 2,
            deliveries_ended: 0,
            responses: 2,
            attempts: 2,
            exchanges: 1,
            drafts: 1,
            held_outputs: 3,
            held_entries: 0,
          },
        },
      },
    });
  },
};

// Without it a column that somebody adds would keep patients' data beyond the time that was promised.
test.each(Object.entries(WAYS))(
  'of a request erased %s no encrypted byte is left in any table, and all else of it stays',
  async (_, eraseIt) => {
    const other = await anOldRequestWithEverything();
    const others = await everyValue();
    const id = await anOldRequestWithEverything();
    const own = [...(await everyValue())].filter(([value]) => !others.has(value));
    const before = await bytesLeft([id]);
    const ofOther = await bytesLeft([other]);
    expect([...before].filter(([, bytes]) => bytes === 0)).toEqual([]); // every column had something
    const counts = () =>
      sql(
        `select outcome, delivery, version, payer_name, progress_at,
         (select array_agg(outcome order by version) from result where request_id = request.id) as results,
         (select array_agg(status order by version) from delivery where request_id = request.id) as deliveries,
         (select count(*) from delivery_attempt join delivery on delivery.id = delivery_id
           where request_id = request.id) as sent_count,
         (select array_agg(row(number, outcome, error_reason) order by number) from verification_attempt
           where request_id = request.id) as attempts,
         (select array_agg(payer_codes) from x12_exchange where request_id = request.id) as exchanges
       from request where id = $1`,
        [id],
      );
    const facts = await counts();
    await eraseIt(id);
    const values = await everyValue();
    const found = own.filter(([value]) => values.has(value)).map(([, place]) => place);
    const ofNoRequest = (place: string) => Object.hasOwn(OF_NO_REQUEST, place.split('.')[0] ?? '');
    expect(found.filter((place) => !ofNoRequest(place) && !Object.hasOwn(STAYS, place))).toEqual([]);
    const after = await bytesLeft([id]);
    expect([...after].filter(([column, bytes]) => bytes > 0 && !Object.hasOwn(STAYS, column))).toEqual([]);
    expect(await counts()).toEqual(facts);
    expect(await bytesLeft([other])).toEqual(ofOther);
    expect(
      await sql('select member_index, npi_index, erased_reason from request where id = $1', [id]),
    ).toEqual([{ member_index: '0', npi_index: '0', erased_reason: 'member_not_found' }]);
  },
);
