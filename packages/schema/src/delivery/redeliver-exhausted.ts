import * as z from 'zod';
import { dateTime } from '../field/date/date-time.ts';
import { wholeNumber } from '../field/whole-number.ts';
import { model } from '../model.ts';

/** The body that sends every exhausted message again (`deliveries.redeliverExhausted`). */
export const RedeliverExhausted = model(
  'RedeliverExhausted',
  'Has every message sent again whose delivery was exhausted at or after a time.',
  {
    since: dateTime().meta({ description: 'Only deliveries that were exhausted at this time or later.' }),
    limit: z
      .int()
      .min(1)
      .max(10_000)
      .default(1_000)
      .meta({ description: 'How many at most, 1 to 10,000; those exhausted first go first.' }),
  },
);
/** {@link RedeliverExhausted} as a type, after the default is filled in. */
export type RedeliverExhausted = z.infer<typeof RedeliverExhausted>;

/** The number of exhausted messages queued again. */
export const RedeliveredExhausted = model(
  'RedeliveredExhausted',
  'How many exhausted messages are under way again.',
  {
    redelivered: wholeNumber().meta({ description: 'How many this call put under way.' }),
    more: z.boolean().meta({ description: 'True: the limit left some, so call again.' }),
  },
);
/** {@link RedeliveredExhausted} as a type. */
export type RedeliveredExhausted = z.infer<typeof RedeliveredExhausted>;
