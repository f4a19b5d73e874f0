import * as z from 'zod';
import { dateTime } from '../field/date/date-time.ts';
import { list } from '../field/list.ts';
import { wholeNumber } from '../field/whole-number.ts';
import { model } from '../model.ts';
import { reportScopeFields } from './report-range.ts';

/** Whose queue to report. */
export const ReportQueue = model('ReportQueue', 'Whose waiting requests to report.', reportScopeFields());
/** {@link ReportQueue} as a type. */
export type ReportQueue = z.infer<typeof ReportQueue>;

/** What waits in one channel of one payer. */
export const QueuePlace = model('QueuePlace', 'What waits in one channel of one payer.', {
  payer_id: z.string().meta({ description: "The payer's id in the configuration." }),
  channel: z.string().nullable().meta({
    description: 'The channel; null: not taken by anybody yet, it waits for the first channel of its route.',
  }),
  waiting_count: wholeNumber().meta({ description: 'Requests that wait.' }),
  leased_count: wholeNumber().meta({ description: 'Requests that are worked on.' }),
  oldest_seconds: z
    .number()
    .nullable()
    .meta({ description: 'How long the longest waiting one has been due; null when none waits.' }),
});
/** {@link QueuePlace} as a type. */
export type QueuePlace = z.infer<typeof QueuePlace>;

/** What waits now (`reports.queue`). */
export const QueueReport = model('QueueReport', 'What waits now, by payer and channel.', {
  counted_at: dateTime().meta({
    description: 'When it was counted: now, or with more than 500 waiting at most some minutes ago.',
  }),
  items: list(QueuePlace).meta({ description: 'By payer and channel; only places where something waits.' }),
});
/** {@link QueueReport} as a type. */
export type QueueReport = z.infer<typeof QueueReport>;
