import type {
  DeliveryDetail,
  DeliveryRef,
  DeliverySummaryList,
  ListDeliveries,
  RedeliveredExhausted,
  RedeliveredMatching,
  RedeliverExhausted,
  RedeliverMatching,
} from '@insurance-verification/schema';
import type * as z from 'zod';
import type { Mutation, Query } from './procedure.ts';

/** Webhooks on their way to the callback address. */
export interface DeliveryProcedures {
  deliveries: {
    /**
     * Deliveries with their last attempts, newest first; an operator's call covers every account. With rare matches a
     * page may be short or empty before the last one: only a `next_cursor` of null marks the end.
     */
    list: Query<z.input<typeof ListDeliveries>, DeliverySummaryList>;
    /** One delivery with every attempt. 404 `not_found`. */
    get: Query<DeliveryRef, DeliveryDetail>;
    /**
     * Counts matching deliveries with `dry_run`; with the token of that count, starts a new round of attempts for
     * those alone. An operator's call covers every account.
     */
    redeliverMatching: Mutation<z.input<typeof RedeliverMatching>, RedeliveredMatching>;
    /**
     * Starts a new round of attempts for every message exhausted since a time; an operator's call covers every
     * account.
     */
    redeliverExhausted: Mutation<z.input<typeof RedeliverExhausted>, RedeliveredExhausted>;
  };
}
