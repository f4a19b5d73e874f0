import * as z from 'zod';
import { dateTime } from '../field/date/date-time.ts';
import { list } from '../field/list.ts';
import { wholeNumber } from '../field/whole-number.ts';
import { enumeration, model } from '../model.ts';
import { FixedBy } from '../reason/fixed-by.ts';

/** What a report is of. */
export const ReportSubject = enumeration(
  'ReportSubject',
  'What a report is of: `requests` by outcome; how long a result took since its request (`result_times`) and a verifier’s lease (`handling_times`), by channel; an answer to an X12 inquiry (`payer_times`), by payer; and an accepted result until it was received (`delivery_times`); why requests could not be verified (`failure_reasons`); how webhook attempts ended, the successful ones too (`delivery_reasons`); what waits now (`queue`); and `held` outputs, for which the scope `operate` is needed.',
  [
    'requests',
    'result_times',
    'handling_times',
    'payer_times',
    'delivery_times',
    'failure_reasons',
    'delivery_reasons',
    'queue',
    'held',
  ],
);
/** {@link ReportSubject} as a type. */
export type ReportSubject = z.infer<typeof ReportSubject>;

/** How long each step of a report is. */
export const ReportStep = enumeration('ReportStep', 'How long each step of a report is.', ['hour', 'day']);
/** {@link ReportStep} as a type. */
export type ReportStep = z.infer<typeof ReportStep>;

const subjectField = () => ReportSubject.meta({ description: 'What it is of.' });

/** Which report to make (`reports.get`). */
export const ReportQuery = model('ReportQuery', 'What to report, of which time, and whose requests.', {
  of: subjectField(),
  from: dateTime().optional().meta({
    description: 'When it begins; includes the whole hour that this is in. Absent: 24 hours before `until`.',
  }),
  until: dateTime().optional().meta({
    description: 'When it ends; includes the whole hour that this is in. Absent: now.',
  }),
  step: ReportStep.default('hour').meta({
    description: 'How long each step is; by the hour for 31 days at most, by the day for 400.',
  }),
  zone: z.string().min(1).max(64).default('UTC').meta({
    description:
      'The time zone in which days begin, an IANA name such as America/Chicago. An hour belongs to the day that it begins in.',
  }),
  account_id: z.string().optional().meta({
    description:
      "For operators: one account's; absent, those of all live accounts. Without `operate` it is the caller's own account.",
  }),
});
/** {@link ReportQuery} as a type, after the defaults are filled in. */
export type ReportQuery = z.infer<typeof ReportQuery>;

const countOf = (what: string) => wholeNumber().optional().meta({ description: what });

const millisecondsOf = (what: string) =>
  wholeNumber()
    .nullable()
    .optional()
    .meta({ description: `${what}, in milliseconds; null when nothing was timed.` });

const nameOf = (description: string) => z.string().nullable().optional().meta({ description });

/** The figures of one step, one group, or one step of one group. It has the members of its report, and no others. */
export const ReportRow = model(
  'ReportRow',
  'Figures of a report. A row has the members of its report, and no others.',
  {
    at: dateTime().nullable().meta({
      description: 'When its step begins; null: over the whole time of the report, or now.',
    }),
    payer_id: nameOf('The payer, of `payer_times` and `queue`: its id in the configuration.'),
    channel: nameOf(
      'The channel, of `result_times`, `handling_times` and `queue`. Null: none; in `queue`, not taken yet, so it waits for the first channel of its route.',
    ),
    reason: nameOf(
      'Of `failure_reasons` the error_reason, null for a text outside the registry; of `delivery_reasons` how the attempt ended (succeeded, timeout …); of `held` why it is held now.',
    ),
    fixed_by: FixedBy.nullable().optional().meta({
      description: 'Who has to act on the reason; null when the registry does not say.',
    }),
    received_count: countOf('`requests`: that came in.'),
    completed_count: countOf('`requests`: whose first result is a verification.'),
    not_verified_count: countOf('`requests`: whose first result is an error_reason.'),
    corrected_count: countOf('`requests`: later results, which corrected one.'),
    met_count: countOf(
      '`requests`: that were needed in this step (Needed-By), and had their first result by then.',
    ),
    overdue_count: countOf('`requests`: that were needed in this step, and had no result by then.'),
    count: countOf('Times and reasons: how many, including those that were not timed.'),
    within_20_seconds_count: countOf(
      'Times: how many of `count` took up to 20 seconds; of inquiries, how many were answered within them: the CORE rule asks for 90 %.',
    ),
    p50_ms: millisecondsOf('Times: the median, within 4.5 %'),
    p90_ms: millisecondsOf('Times: 9 of 10 are faster, within 4.5 %'),
    p99_ms: millisecondsOf('Times: 99 of 100 are faster, within 4.5 %'),
    max_ms: millisecondsOf('Times: the slowest, exactly'),
    waiting_count: countOf('`queue`: requests that wait.'),
    leased_count: countOf('`queue`: requests that are worked on.'),
    held_count: countOf('`held`: outputs that were held in this step.'),
    applied_count: countOf('`held`: held outputs that an operator applied in this step.'),
    dismissed_count: countOf('`held`: held outputs that an operator dismissed in this step.'),
    open_count: countOf(
      '`held`: outputs that wait for an operator now, of all accounts or of the one asked for.',
    ),
    oldest_seconds: z.number().nullable().optional().meta({
      description: '`queue` and `held`: how long the oldest has waited; null when none waits.',
    }),
  },
);
/** {@link ReportRow} as a type. */
export type ReportRow = z.infer<typeof ReportRow>;

/** A report (`reports.get`). */
export const Report = model('Report', 'A report over a time, or of now.', {
  of: subjectField(),
  from: dateTime().meta({
    description: 'When it begins: on the hour. What is of now does not depend on it.',
  }),
  until: dateTime().meta({ description: 'When it ends: on the hour, exclusive.' }),
  step: ReportStep.meta({ description: 'How long each step is.' }),
  zone: z.string().meta({ description: 'The time zone in which days begin.' }),
  counted_until: dateTime().nullable().meta({
    description:
      'Everything that happened before is in the figures; what happened later may be missing. Null: nothing is counted yet. Of `queue`, when it was counted: now, or with more than 500 waiting at most some minutes ago.',
  }),
  items: list(ReportRow).meta({
    description:
      'First those without `at`: times by group, reasons by frequency, the queue by payer and channel, held outputs by reason. Then the steps, the earliest first: of `requests` and `held` every step, of times only those with any, by group.',
  }),
});
/** {@link Report} as a type. */
export type Report = z.infer<typeof Report>;
