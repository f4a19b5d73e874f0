import * as z from 'zod';
import { dateTime } from '../../field/date/date-time.ts';
import { wholeNumber } from '../../field/whole-number.ts';
import { model } from '../../model.ts';

/** Since when the caller's work is counted (`work.day`). */
export const WorkDayStart = model('WorkDayStart', "Since when the caller's work is counted.", {
  since: dateTime().optional().meta({
    description: 'When the day began where the caller is; 24 hours ago when absent, and at the earliest.',
  }),
});
/** {@link WorkDayStart} as a type. */
export type WorkDayStart = z.infer<typeof WorkDayStart>;

/** The caller's own work of a day (`work.day`). */
export const WorkDay = model('WorkDay', "The caller's own work of a day, by portal and phone.", {
  done_count: wholeNumber().meta({ description: 'Results that the caller handed in.' }),
  failed_count: wholeNumber().meta({ description: 'Requests that the caller could not find out about.' }),
  seconds_p50: z.number().nullable().meta({
    description: 'From taking a request to its end, the median of both; null without any.',
  }),
  draft_count: wholeNumber().meta({ description: "The caller's drafts, of whatever day." }),
});
/** {@link WorkDay} as a type. */
export type WorkDay = z.infer<typeof WorkDay>;
