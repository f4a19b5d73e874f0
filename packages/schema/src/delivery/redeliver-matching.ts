import * as z from 'zod';
import { dateTime } from '../field/date/date-time.ts';
import { model } from '../model.ts';
import { countedAnswer, countedFirst, deliveryFilter } from './delivery-filter.ts';
import { DeliveryStatus } from './delivery.ts';

/** The body that counts deliveries, or sends those again that were counted (`deliveries.redeliverMatching`). */
export const RedeliverMatching = model(
  'RedeliverMatching',
  'Counts the deliveries that match every given filter, or sends those again that were counted.',
  {
    ...countedFirst,
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
  countedAnswer,
);
/** {@link RedeliveredMatching} as a type. */
export type RedeliveredMatching = z.infer<typeof RedeliveredMatching>;
