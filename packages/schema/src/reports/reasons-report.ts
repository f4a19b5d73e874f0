import * as z from 'zod';
import { list } from '../field/list.ts';
import { wholeNumber } from '../field/whole-number.ts';
import { enumeration, model } from '../model.ts';
import { FixedBy } from '../reason/fixed-by.ts';
import { reportHeadFields, reportRangeFields } from './report-range.ts';

/** What a report of reasons is about. */
export const ReasonedEvent = enumeration(
  'ReasonedEvent',
  'What the reasons are of: of requests that could not be verified, or of webhook attempts, the successful ones among them.',
  ['verification', 'delivery'],
);
/** {@link ReasonedEvent} as a type. */
export type ReasonedEvent = z.infer<typeof ReasonedEvent>;

/** Which reasons to report. */
export const ReportReasons = model(
  'ReportReasons',
  'Which reasons to report, of which time, and whose requests.',
  {
    of: ReasonedEvent.meta({ description: 'What the reasons are of.' }),
    ...reportRangeFields(),
  },
);
/** {@link ReportReasons} as a type, after the defaults are filled in. */
export type ReportReasons = z.infer<typeof ReportReasons>;

/** How often one reason was given. */
export const ReasonCount = model('ReasonCount', 'How often one reason was given.', {
  reason: z.string().nullable().meta({
    description:
      'The error_reason, or how a webhook attempt ended (succeeded, timeout …); null for a text outside the registry.',
  }),
  fixed_by: FixedBy.nullable().meta({
    description: 'Who has to act on it; null where the registry does not say.',
  }),
  count: wholeNumber().meta({ description: 'How often.' }),
});
/** {@link ReasonCount} as a type. */
export type ReasonCount = z.infer<typeof ReasonCount>;

/** How often which reason was given, over a time (`reports.reasons`). */
export const ReasonsReport = model('ReasonsReport', 'How often which reason was given, over a time.', {
  of: ReasonedEvent.meta({ description: 'What the reasons are of.' }),
  ...reportHeadFields(),
  items: list(ReasonCount).meta({ description: 'The most frequent first.' }),
});
/** {@link ReasonsReport} as a type. */
export type ReasonsReport = z.infer<typeof ReasonsReport>;
