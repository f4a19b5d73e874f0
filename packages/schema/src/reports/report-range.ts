import * as z from 'zod';
import { dateTime } from '../field/date/date-time.ts';
import { enumeration, model } from '../model.ts';

/** How long each step of a report is. */
export const ReportStep = enumeration('ReportStep', 'How long each step of a report is.', ['hour', 'day']);
/** {@link ReportStep} as a type. */
export type ReportStep = z.infer<typeof ReportStep>;

/** Whose requests a report is about. */
export const reportScopeFields = () => ({
  account_id: z.string().optional().meta({
    description:
      "For operators: one account's; absent, those of all live accounts. Without `operate` it is the caller's own account.",
  }),
});

/** What every report over a time takes. */
export const reportRangeFields = () => ({
  from: dateTime().optional().meta({
    description: 'Where it begins; the hour that this is in counts whole. Absent: 24 hours before `until`.',
  }),
  until: dateTime().optional().meta({
    description: 'Where it ends; the hour that this is in counts whole. Absent: now.',
  }),
  step: ReportStep.default('hour').meta({
    description: 'How long each step is; by the hour for 31 days at most, by the day for 400.',
  }),
  zone: z.string().min(1).max(64).default('UTC').meta({
    description:
      'The time zone in which days begin, an IANA name such as America/Chicago. An hour belongs to the day that it begins in.',
  }),
  ...reportScopeFields(),
});

/** Which time and whose requests to report (`reports.requests`, `reports.held`). */
export const ReportRange = model('ReportRange', 'Which time to report, in which steps, and whose requests.', {
  ...reportRangeFields(),
});
/** {@link ReportRange} as a type, after the defaults are filled in. */
export type ReportRange = z.infer<typeof ReportRange>;

/** What every report over a time answers besides its items. */
export const reportHeadFields = () => ({
  from: dateTime().meta({ description: 'Where it begins: on the hour.' }),
  until: dateTime().meta({ description: 'Where it ends: on the hour, exclusive.' }),
  step: ReportStep.meta({ description: 'How long each step is.' }),
  zone: z.string().meta({ description: 'The time zone in which days begin.' }),
  counted_until: dateTime().nullable().meta({
    description:
      'Everything that happened before is in the figures; what happened later may be missing. Null: nothing is counted yet.',
  }),
});

/** The begin of a step. */
export const stepField = () => dateTime().meta({ description: 'When the step begins.' });
