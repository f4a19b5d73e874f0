import { issuedIdAt, issueId } from '../../src/issued-id.ts';
import { withClient } from '../../src/testing/create-test-database.ts';
import type { TestStores } from './open-test-stores.ts';

/** Milliseconds of a day. */
const DAY_MS = 86_400_000;

/**
 * Makes a request as old as so many days, with all that is about it: its id too, which holds its time. Returns that id.
 * What is encrypted for the request or its results opens as before; evidence and exchanges do not.
 */
export async function aged(
  { store, sql, connectionString }: TestStores,
  requestId: string,
  days: number,
): Promise<string> {
  const { vault } = store;
  const [row] = await sql<{ account_id: string; input: Buffer; outcome_reason: Buffer | null }>(
    'select account_id, input, outcome_reason from request where id = $1',
    [requestId],
  );
  if (!row) throw new Error(`There is no request ${requestId}.`);
  const time = issuedIdAt('req', Date.now() - days * DAY_MS).slice(0, 14);
  const id = `${time}${issueId('req').slice(14)}`;
  const owner = { accountId: row.account_id };
  const again = async (column: string, encrypted: Buffer, version = '') =>
    vault.encrypt(
      owner,
      `${column}:${id}${version}`,
      await vault.decrypt(owner, `${column}:${requestId}${version}`, encrypted),
    );
  const results = await sql<{ version: number; body: Buffer }>(
    'select version, body from result where request_id = $1',
    [requestId],
  );
  // Not of the audit's log: nothing in it is ever changed.
  const columns = await sql<{ table: string; column: string }>(
    `select attrelid::regclass::text as "table", attname as "column" from pg_attribute join pg_class on pg_class.oid = attrelid
     where relnamespace = 'public'::regnamespace and relkind = 'r' and not relispartition
       and attname in ('request_id', 'named_request_id')`,
  );
  const input = await again('request.input', row.input);
  const reason = row.outcome_reason && (await again('request.outcome_reason', row.outcome_reason));
  const bodies = await Promise.all(
    results.map(({ version, body }) => again('result.body', body, `.${version}`)),
  );
  await withClient(connectionString, async (client) => {
    // Checked at the commit, when both ends of each have the new id.
    const { rows: foreignKeys } = await client.query<{ deferring: string }>(
      `select format('alter table %s alter constraint %I deferrable', conrelid::regclass, conname) as deferring
       from pg_constraint
       where contype = 'f' and not condeferrable and confrelid in ('request'::regclass, 'result'::regclass)`,
    );
    for (const { deferring } of foreignKeys) await client.query(deferring);
    await client.query('begin');
    await client.query('set constraints all deferred');
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
