import type * as z from 'zod';
import { wholeNumber } from '../field/whole-number.ts';
import { model } from '../model.ts';

/** How many requests somebody should look at now (`requests.stats`). */
export const RequestStats = model('RequestStats', 'How many requests somebody should look at now.', {
  late_count: wholeNumber().meta({
    description:
      'Requests without a result although the time at which they are needed is past, 10,000 at most: what `requests.search` finds with `late`.',
  }),
  given_up_count: wholeNumber().meta({
    description:
      'Deliveries that were given up and not sent again, 10,000 at most: what `deliveries.list` has with the status `exhausted`.',
  }),
});
/** {@link RequestStats} as a type. */
export type RequestStats = z.infer<typeof RequestStats>;
