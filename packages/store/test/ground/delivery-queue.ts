import type { TestStores } from './open-test-stores.ts';

/** Direct changes to the delivery queue: what time would do, done at once. */
export function deliveryQueue({ sql }: TestStores) {
  return {
    /** Postpones everything unfinished, so that a test sees only its own deliveries. */
    empty: async () => {
      await sql(`update delivery_queue set run_at = now() + interval '1 day', lease = null, leased_at = null,
        leased_until = null`);
    },
    /** Sets when a request's unfinished delivery falls due, in seconds from now. */
    dueIn: (requestId: string, seconds: number) =>
      sql('update delivery_queue set run_at = now() + make_interval(secs => $2) where request_id = $1', [
        requestId,
        seconds,
      ]),
    /** Lets a lease lapse this many seconds ago. */
    lapse: (deliveryId: string, secondsAgo = 1) =>
      sql(
        'update delivery_queue set leased_until = now() - make_interval(secs => $2) where delivery_id = $1',
        [deliveryId, secondsAgo],
      ),
    /** A delivery with its place in the queue. */
    row: async (deliveryId: string) => {
      const [row] = await sql<{ text: string }>(
        `select (jsonb_build_object('lease', null, 'leased_until', null, 'claim_count', 0) || to_jsonb(delivery)
          || coalesce(to_jsonb(queued), '{}'))::text as text
        from delivery left join delivery_queue as queued on queued.delivery_id = id where id = $1`,
        [deliveryId],
      );
      return JSON.parse(row?.text ?? 'null') as Record<string, unknown>;
    },
  };
}
