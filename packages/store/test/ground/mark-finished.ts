import type { DeliveryFact, Outcome } from '@insurance-verification/schema';
import type { TestStores } from './open-test-stores.ts';

/** Makes requests finished in what is listed of them, and takes them out of the queue. They have no result. */
export const markFinished = (
  { sql }: Pick<TestStores, 'sql'>,
  requestIds: readonly string[],
  { outcome = 'complete', delivery = 'none' }: { outcome?: Outcome; delivery?: DeliveryFact } = {},
) =>
  sql(
    `with dequeued as (delete from work_queue where request_id = any ($1))
     update request set outcome = $2, delivery = $3::text, version = 1,
       delivery_reason = case when $3::text = 'exhausted' then 'webhook_exhausted' end, channel = 'api' where id = any ($1)`,
    [requestIds, outcome, delivery],
  );
