import * as z from 'zod';
import { dateTime } from '../field/date/date-time.ts';
import { wholeNumber } from '../field/whole-number.ts';
import { model } from '../model.ts';
import { HeldReason } from './held-reason.ts';

/** The body that dismisses many held outputs (`heldOutputs.dismissMany`). */
export const DismissHeldOutputs = model(
  'DismissHeldOutputs',
  'Dismisses the held outputs of a reason, without applying any.',
  {
    reason: HeldReason.meta({ description: 'Only outputs that are held for this reason.' }),
    received_before: dateTime()
      .optional()
      .meta({ description: 'Only what was received before this time; absent: before this call.' }),
    request_id: z
      .string()
      .optional()
      .meta({ description: 'Only outputs that name this request of ours; absent: whatever they name.' }),
    limit: z
      .int()
      .min(1)
      .max(10_000)
      .default(1_000)
      .meta({ description: 'How many at most, 1 to 10,000; the oldest go first.' }),
    note: z
      .string()
      .optional()
      .meta({ description: 'Why, for the next operator; free text, kept with each.' }),
  },
);
/** {@link DismissHeldOutputs} as a type, after the default is filled in. */
export type DismissHeldOutputs = z.infer<typeof DismissHeldOutputs>;

/** The number of held outputs that a call dismissed. */
export const DismissedHeldOutputs = model('DismissedHeldOutputs', 'How many held outputs were dismissed.', {
  dismissed: wholeNumber().meta({ description: 'How many this call dismissed.' }),
  more: z.boolean().meta({ description: 'True: the limit left some, so call again.' }),
});
/** {@link DismissedHeldOutputs} as a type. */
export type DismissedHeldOutputs = z.infer<typeof DismissedHeldOutputs>;
