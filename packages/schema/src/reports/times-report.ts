import * as z from 'zod';
import { list } from '../field/list.ts';
import { wholeNumber } from '../field/whole-number.ts';
import { enumeration, model } from '../model.ts';
import { reportHeadFields, reportRangeFields, stepField } from './report-range.ts';

/** What a report of times is about. */
export const TimedEvent = enumeration(
  'TimedEvent',
  'What is timed: from the request to its first result, by channel; a verifier’s lease until its end, by channel; an X12 inquiry until its answer, by payer; an accepted result until it was received.',
  ['result', 'handling', 'payer_answer', 'delivery'],
);
/** {@link TimedEvent} as a type. */
export type TimedEvent = z.infer<typeof TimedEvent>;

/** Which times to report. */
export const ReportTimes = model(
  'ReportTimes',
  'Which times to report, in which steps, and whose requests.',
  {
    of: TimedEvent.meta({ description: 'What is timed.' }),
    ...reportRangeFields(),
  },
);
/** {@link ReportTimes} as a type, after the defaults are filled in. */
export type ReportTimes = z.infer<typeof ReportTimes>;

const milliseconds = (what: string) =>
  wholeNumber()
    .nullable()
    .meta({ description: `${what}, in milliseconds; null when nothing was timed.` });

const timesFields = () => ({
  group: z
    .string()
    .nullable()
    .meta({ description: 'The channel, or the payer’s id; null for none, and for deliveries.' }),
  count: wholeNumber().meta({ description: 'How many, those that were not timed among them.' }),
  within_20_seconds_count: wholeNumber().meta({
    description:
      'Of them, within 20 seconds; of inquiries, answered within 20 seconds: the CORE rule asks for 90 %.',
  }),
  p50_ms: milliseconds('The median, within 4.5 %'),
  p90_ms: milliseconds('9 of 10 are faster, within 4.5 %'),
  p99_ms: milliseconds('99 of 100 are faster, within 4.5 %'),
  max_ms: milliseconds('The slowest, exactly'),
});

/** The times of one group over the whole report. */
export const TimesOfGroup = model('TimesOfGroup', 'The times of one channel or payer.', timesFields());
/** {@link TimesOfGroup} as a type. */
export type TimesOfGroup = z.infer<typeof TimesOfGroup>;

/** The times of one group in one step. */
export const TimesInStep = model(
  'TimesInStep',
  'The times of one channel or payer in one step of a report.',
  {
    at: stepField(),
    ...timesFields(),
  },
);
/** {@link TimesInStep} as a type. */
export type TimesInStep = z.infer<typeof TimesInStep>;

/** How long something took, over a time (`reports.times`). */
export const TimesReport = model('TimesReport', 'How long something took, over a time.', {
  of: TimedEvent.meta({ description: 'What is timed.' }),
  ...reportHeadFields(),
  totals: list(TimesOfGroup).meta({ description: 'Over the whole time, by group.' }),
  items: list(TimesInStep).meta({
    description: 'By step, the earliest first, and by group; only those with any.',
  }),
});
/** {@link TimesReport} as a type. */
export type TimesReport = z.infer<typeof TimesReport>;
