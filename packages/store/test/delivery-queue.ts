import type { TestStores } from './open-test-stores.ts';

/** Direct changes to the delivery queue: what time would do, done at once. */
export function deliveryQueue({ sql }: TestStores) {
  return {
    /** Postpones everything unfinished, so that a test sees only its own deliveries. */
    empty: () =>
      sql(
        `update delivery set run_at = now() + interval '1 day', lease_token = null, lease_until = null where done_at is null`,
      ),
    /** Sets when a request's unfinished delivery falls due, in seconds from now. */
    dueIn: (requestId: string, seconds: number) =>
      sql(
        'update delivery set run_at = now() + make_interval(secs => $2) where request_id = $1 and done_at is null',
        [requestId, seconds],
      ),
    /** Lets a lease lapse this many seconds ago. */
    lapse: (deliveryId: string, secondsAgo = 1) =>
      sql('update delivery set lease_until = now() - make_interval(secs => $2) where id = $1', [
        deliveryId,
        secondsAgo,
      ]),
    row: async (deliveryId: string) => {
      const [row] = await sql<{ text: string }>(
        'select to_jsonb(delivery)::text as text from delivery where id = $1',
        [deliveryId],
      );
      return JSON.parse(row?.text ?? 'null') as Record<string, unknown>;
    },
  };
}
