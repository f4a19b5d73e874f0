import type { TestStores } from './open-test-stores.ts';

/**
 * Thousands of due deliveries copied from one, to its host or spread over others. Their sealed values do not open: they
 * are bound to its row.
 */
export async function bulkDeliveries(
  { sql }: TestStores,
  requestId: string,
  count: number,
  { hostCount = 0, prefix = '0' }: { readonly hostCount?: number; readonly prefix?: string } = {},
): Promise<void> {
  const copies = `generate_series(1, $2::int) n`;
  const id = (kind: string) => `'${kind}_${prefix}' || lpad(n::text, 25, '0')`;
  await sql(
    `insert into request (id, account_id, payer_id, payer_name, input, outcome, delivery, version)
     select ${id('req')}, account_id, payer_id, payer_name, input, outcome, delivery, version from request, ${copies} where id = $1`,
    [requestId, count],
  );
  await sql(
    `insert into result (request_id, version, outcome, body, digest)
     select ${id('req')}, version, outcome, body, digest from result, ${copies} where request_id = $1`,
    [requestId, count],
  );
  await sql(
    `insert into delivery (id, request_id, version, account_id, destination, destination_host)
     select ${id('msg')}, ${id('req')}, version, account_id, destination,
       case when $3 = 0 then destination_host else sha256(((n % $3)::text || '${prefix}')::bytea) end
       from delivery, ${copies} where request_id = $1`,
    [requestId, count, hostCount],
  );
}
