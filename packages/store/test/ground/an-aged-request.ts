import { issuedIdAt, issueId } from '../../src/issued-id.ts';
import { withClient } from '../../src/testing/create-test-database.ts';
import type { TestStores } from './open-test-stores.ts';

/** Milliseconds of a day. */
export const DAY_MS = 86_400_000;

/**
 * Makes a request as old as so many days, with all that is about it: its id too, which holds its time. Returns that id.
 * What is sealed for the request or its results opens as before; evidence and exchanges do not.
 */
export const aged = (stores: TestStores, requestId: string, days: number): Promise<string> =>
  agedTo(stores, requestId, Date.now() - days * DAY_MS);

/** As {@link aged}, to a millisecond. */
export async function agedTo(
  { store, sql, connectionString }: TestStores,
  requestId: string,
  ms: number,
): Promise<string> {
  const { vault } = store;
  const days = (Date.now() - ms) / DAY_MS;
  const [row] = await sql<{ account_id: string; input: Buffer; outcome_reason: Buffer | null }>(
    'select account_id, input, outcome_reason from request where id = $1',
    [requestId],
  );
  if (!row) throw new Error(`There is no request ${requestId}.`);
  const time = issuedIdAt('req', ms).slice(0, 14);
  const id = `${time}${issueId('req').slice(14)}`;
  const owner = { accountId: row.account_id };
  const again = async (column: string, sealed: Buffer, version = '') =>
    vault.seal(
      owner,
      `${column}:${id}${version}`,
      await vault.open(`${column}:${requestId}${version}`, sealed),
    );
  const results = await sql<{ version: number; body: Buffer }>(
    'select version, body from result where request_id = $1',
    [requestId],
  );
  const columns = await sql<{ table: string; column: string }>(
    `select quote_ident(table_name) as "table", column_name as "column" from information_schema.columns join pg_class on oid = quote_ident(table_name)::regclass
     where table_schema = 'public' and relkind in ('r', 'p') and not relispartition and table_name <> 'access_log' and column_name in ('request_id', 'named_request_id', 'of_request')`,
  );
  const input = await again('request.input', row.input);
  const reason = row.outcome_reason && (await again('request.outcome_reason', row.outcome_reason));
  const bodies = await Promise.all(
    results.map(({ version, body }) => again('result.body', body, `.${version}`)),
  );
  await withClient(connectionString, async (client) => {
    const { rows: foreignKeys } = await client.query<{ dropping: string }>(
      `select format('alter table %s drop constraint %I', conrelid::regclass, conname) as dropping
       from pg_constraint where contype = 'f' and confrelid in ('request'::regclass, 'result'::regclass)`,
    );
    for (const { dropping } of foreignKeys) await client.query(dropping);
    await client.query('begin');
    for (const { table, column } of columns)
      await client.query(`update ${table} set ${column} = $2 where ${column} = $1`, [requestId, id]);
    await client.query(
      `update request set id = $2, input = $3, outcome_reason = $4, received_at = received_at - $5 * interval '1 day'
       where id = $1`,
      [requestId, id, input, reason, days],
    );
    for (const [index, { version }] of results.entries())
      await client.query('update result set body = $3 where request_id = $1 and version = $2', [
        id,
        version,
        bodies[index],
      ]);
    await client.query(
      `update delivery set done_at = done_at - $2 * interval '1 day' where request_id = $1`,
      [id, days],
    );
    await client.query(
      `update idempotency_key set created_at = (select received_at from request where id = $1) where request_id = $1`,
      [id],
    );
    await client.query('commit');
  });
  return id;
}
