import * as z from 'zod';
import { dateTime } from '../field/date/date-time.ts';
import { model } from '../model.ts';
import { countedAnswer, countedFirst, deliveryFilter } from './delivery-filter.ts';

/** The body that counts exhausted messages, or sends those again that were counted (`deliveries.redeliverExhausted`). */
export const RedeliverExhausted = model(
  'RedeliverExhausted',
  'Counts the messages whose delivery was exhausted at or after a time, or has those sent again that were counted.',
  {
    ...countedFirst,
    since: dateTime().meta({ description: 'Only deliveries that were exhausted at this time or later.' }),
    host: deliveryFilter.host,
    limit: z
      .int()
      .min(1)
      .max(10_000)
      .default(1_000)
      .meta({ description: 'How many at most, 1 to 10,000; those exhausted first go first.' }),
  },
);
/** {@link RedeliverExhausted} as a type, after the defaults are filled in. */
export type RedeliverExhausted = z.infer<typeof RedeliverExhausted>;

/** How many exhausted messages match, or were queued again. */
export const RedeliveredExhausted = model(
  'RedeliveredExhausted',
  'How many exhausted messages match, and how many are under way again.',
  countedAnswer,
);
/** {@link RedeliveredExhausted} as a type. */
export type RedeliveredExhausted = z.infer<typeof RedeliveredExhausted>;
