import type { TestStores } from './open-test-stores.ts';

interface Bulk {
  /** Over so many hosts; otherwise all to the host of the first. */
  readonly hostCount?: number;
  readonly prefix?: string;
  /** An expression: they were given up then, and are not due. */
  readonly exhaustedAt?: string;
}

/** Thousands of deliveries copied from one, by default due. Their encrypted values cannot be decrypted: they are bound to its row. */
export async function bulkDeliveries(
  { sql }: TestStores,
  requestId: string,
  count: number,
  { hostCount = 0, prefix = '0', exhaustedAt }: Bulk = {},
): Promise<void> {
  const copies = `generate_series(1, $2::int) n`;
  const id = (kind: string) => `'${kind}_${prefix}' || lpad(n::text, 25, '0')`;
  await sql(
    `insert into request (id, account_id, payer_id, payer_name, input, member_index, outcome, channel, delivery, version, delivery_reason)
     select ${id('req')}, account_id, payer_id, payer_name, input, member_index, outcome, channel, delivery, version, delivery_reason from request, ${copies} where id = $1`,
    [requestId, count],
  );
  await sql(
    `insert into result (request_id, version, outcome, body, digest)
     select ${id('req')}, version, outcome, body, digest from result, ${copies} where request_id = $1`,
    [requestId, count],
  );
  await sql(
    `insert into delivery (id, request_id, version, account_id, destination, destination_host, status, done_at, reason)
     select ${id('msg')}, ${id('req')}, version, account_id, destination,
       case when $3 = 0 then destination_host else sha256(((n % $3)::text || '${prefix}')::bytea) end,
       ${exhaustedAt === undefined ? `'pending', null, null` : `'exhausted', ${exhaustedAt}, 'webhook_exhausted'`}
       from delivery, ${copies} where request_id = $1`,
    [requestId, count, hostCount],
  );
  if (exhaustedAt !== undefined) return;
  await sql(
    `insert into delivery_queue (destination_host, account_id, run_at, delivery_id, request_id)
     select destination_host, account_id, now(), id, request_id
     from delivery, generate_series(1, $1::int) n where id = ${id('msg')}`,
    [count],
  );
}
