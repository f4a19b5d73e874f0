import type * as z from 'zod';
import { dateTime } from '../field/date/date-time.ts';
import { wholeNumber } from '../field/whole-number.ts';
import { model } from '../model.ts';

/** How many outputs wait for an operator (`heldOutputs.stats`). */
export const HeldStats = model('HeldStats', 'How many outputs wait for an operator.', {
  open_count: wholeNumber().meta({ description: 'Outputs that wait, 10,000 at most.' }),
  oldest_received_at: dateTime()
    .nullable()
    .meta({ description: 'When the one that waits longest was first received; null when none waits.' }),
});
/** {@link HeldStats} as a type. */
export type HeldStats = z.infer<typeof HeldStats>;
