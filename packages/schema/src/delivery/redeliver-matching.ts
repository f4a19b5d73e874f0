import * as z from 'zod';
import { dateTime } from '../field/date/date-time.ts';
import { wholeNumber } from '../field/whole-number.ts';
import { model } from '../model.ts';
import { deliveryFilter } from './delivery-filter.ts';
import { DeliveryStatus } from './delivery.ts';

/** The body that counts deliveries, or sends those again that were counted (`deliveries.redeliverMatching`). */
export const RedeliverMatching = model(
  'RedeliverMatching',
  'Counts the deliveries that match every given filter, or sends those again that were counted.',
  {
    dry_run: z.boolean().default(false).meta({
      description: 'True: only counts them, and answers the token that a call to send them needs.',
    }),
    token: z.string().optional().meta({
      description:
        'The token of a dry run with the same filters; needed unless dry_run is true. Nothing is sent again that it did not count.',
    }),
    status: DeliveryStatus.extract(['exhausted', 'delivered'])
      .default('exhausted')
      .meta({ description: 'Those that were given up, or those that were delivered.' }),
    ...deliveryFilter,
    since: dateTime().meta({ description: 'Only those whose result was accepted at this time or later.' }),
    limit: z
      .int()
      .min(1)
      .max(10_000)
      .default(1_000)
      .meta({ description: 'How many at most, 1 to 10,000; those accepted first go first.' }),
  },
);
/** {@link RedeliverMatching} as a type, after the defaults are filled in. */
export type RedeliverMatching = z.infer<typeof RedeliverMatching>;

/** How many deliveries match, or were sent again. */
export const RedeliveredMatching = model(
  'RedeliveredMatching',
  'How many deliveries match, and how many are under way again.',
  {
    matching: wholeNumber().meta({ description: 'How many the dry run counted, the limit at most.' }),
    redelivered: wholeNumber().meta({
      description: 'How many of them this call put under way; 0 for a dry run.',
    }),
    more: z.boolean().meta({ description: 'True: more match than the limit, so ask and call again.' }),
    token: z.string().nullable().meta({
      description:
        'What the call that sends them again must name; null where none matches, and unless it was a dry run.',
    }),
  },
);
/** {@link RedeliveredMatching} as a type. */
export type RedeliveredMatching = z.infer<typeof RedeliveredMatching>;
