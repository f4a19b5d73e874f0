import * as z from 'zod';
import { FixedBy } from '../error-reason.ts';
import { dateTime } from '../field/date.ts';
import { list } from '../field/list.ts';
import { wholeNumber } from '../field/text-and-number.ts';
import { enumeration, model } from '../model.ts';
import { EXAMPLE_IDS } from './examples/ids.ts';
import { operation } from './operation.ts';

/** What a report is of. */
export const ReportSubject = enumeration(
  'ReportSubject',
  'What a report is of: `requests` by outcome; how long results (`result_times`) and leases (`handling_times`) took, by channel; X12 answers (`payer_times`), by payer; results until received (`delivery_times`); why requests failed (`failure_reasons`); how webhook attempts ended (`delivery_reasons`); the `queue` now; `held` outputs.',
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
export type ReportSubject = z.infer<typeof ReportSubject>;

/** How long each step of a report is. */
export const ReportStep = enumeration('ReportStep', 'How long each step of a report is.', ['hour', 'day']);
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
      'The channel, of `result_times`, `handling_times` and `queue`. Null: none; in `queue`, not taken yet.',
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
      'Times: how many of `count` took up to 20 seconds; of inquiries, how many were answered within them.',
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
    open_count: countOf('`held`: outputs that wait for an operator now.'),
    oldest_seconds: z.number().nullable().optional().meta({
      description: '`queue` and `held`: how long the oldest has waited; null when none waits.',
    }),
  },
);
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
      'Everything before is in the figures; what happened later may be missing. Null: nothing is counted yet. Of `queue`, when it was counted.',
  }),
  items: list(ReportRow).meta({
    description:
      'First those without `at`: times by group, reasons by frequency, the queue by payer and channel, held outputs by reason. Then the steps, earliest first: of times only those with any.',
  }),
});
export type Report = z.infer<typeof Report>;

/** The month to report. */
export const ReportMonth = model('ReportMonth', 'Which month to report.', {
  month: z
    .string()
    .regex(/^\d{4}-(0[1-9]|1[0-2])$/, 'expected YYYY-MM')
    .optional()
    .meta({
      description: 'A month in UTC, YYYY-MM; the current one when absent.',
      minLength: 7,
      maxLength: 7,
    }),
});
export type ReportMonth = z.infer<typeof ReportMonth>;

/** One payer's response times over X12 in a month. */
export const PayerResponseTimes = model(
  'PayerResponseTimes',
  'How fast one payer answered over X12 in a month.',
  {
    payer_id: z.string().meta({ description: "The payer's id in the configuration." }),
    inquiry_count: wholeNumber().meta({ description: 'Inquiries sent, unanswered ones among them.' }),
    within_20_seconds_share: z
      .number()
      .meta({ description: 'Of them, answered within 20 seconds: 0 to 1. The CORE rule asks for 0.9.' }),
    p50_ms: wholeNumber()
      .nullable()
      .meta({ description: 'The median of the answered, within 4.5 %; null without any.' }),
    p90_ms: wholeNumber()
      .nullable()
      .meta({ description: '9 of 10 of the answered are faster, within 4.5 %; null without any.' }),
    slowest_ms: wholeNumber().nullable().meta({ description: 'The slowest answer; null without any.' }),
  },
);
export type PayerResponseTimes = z.infer<typeof PayerResponseTimes>;

/** A month's response times of every payer that was asked over X12. */
export const ResponseTimesReport = model(
  'ResponseTimesReport',
  "A month's response times of every payer that was asked over X12.",
  {
    month: z.string().meta({ description: 'The month, YYYY-MM, in UTC.' }),
    items: list(PayerResponseTimes).meta({ description: 'By payer id.' }),
  },
);
export type ResponseTimesReport = z.infer<typeof ResponseTimesReport>;

/** A month and an account (`reports.askedCodes`). */
export const AskedCodesQuery = model('AskedCodesQuery', 'Which month to report, and whose inquiries.', {
  ...ReportMonth.shape,
  account_id: z
    .string()
    .optional()
    .meta({ description: "One account's; absent: those of all live accounts." }),
});
export type AskedCodesQuery = z.infer<typeof AskedCodesQuery>;

/** How a payer treated the codes of one list. */
export const CodeFigures = model('CodeFigures', 'How a payer treated the codes of one list.', {
  asked_count: wholeNumber().meta({ description: 'Codes in inquiries that it answered.' }),
  answered_count: wholeNumber().meta({ description: 'Of them, those that an answer speaks of.' }),
  refused_count: wholeNumber().meta({
    description: 'Of them, those that it rejected: with the inquiry (AAA 15, 33, 52 to 55), or one by one.',
  }),
});
export type CodeFigures = z.infer<typeof CodeFigures>;

/** A setting of a payer's inquiries that its answers can contradict. */
export const InquirySetting = enumeration(
  'InquirySetting',
  "A setting of a payer's inquiries that its answers can contradict.",
  ['procedures', 'together'],
);
export type InquirySetting = z.infer<typeof InquirySetting>;

/** The codes that one payer was asked for over X12 in a month. */
export const PayerAskedCodes = model(
  'PayerAskedCodes',
  'The codes that one payer was asked for over X12 in a month.',
  {
    payer_id: z.string().meta({ description: "The payer's id in the configuration." }),
    inquiry_count: wholeNumber().meta({ description: 'Inquiries sent, retries among them.' }),
    further_inquiry_count: wholeNumber().meta({
      description: 'Of them, those after the first of a request: for codes, for a service type, with less.',
    }),
    dental: CodeFigures.meta({ description: 'CDT codes.' }),
    medical: CodeFigures.meta({ description: 'CPT and HCPCS codes.' }),
    setting: InquirySetting.nullable().meta({
      description: 'The member of `inquiry` in the payers file that does not fit the payer; null: none.',
    }),
    advice: z.string().nullable().meta({ description: 'What to set it to, and why; null: nothing.' }),
  },
);
export type PayerAskedCodes = z.infer<typeof PayerAskedCodes>;

/** A month's codes of every payer that was asked over X12. */
export const AskedCodesReport = model(
  'AskedCodesReport',
  "A month's codes of every payer that was asked over X12.",
  {
    month: z.string().meta({ description: 'The month, YYYY-MM, in UTC.' }),
    items: list(PayerAskedCodes).meta({ description: 'By payer id.' }),
  },
);
export type AskedCodesReport = z.infer<typeof AskedCodesReport>;

const head = {
  from: '2026-11-20T00:00:00.000Z',
  until: '2026-11-21T00:00:00.000Z',
  step: 'day',
  zone: 'UTC',
  counted_until: '2026-11-21T09:30:00.000Z',
} as const;

const step = { at: '2026-11-20T00:00:00.000Z' };

const times = {
  channel: 'manual_phone_call',
  count: 96,
  within_20_seconds_count: 0,
  p50_ms: 2_710_500,
  p90_ms: 9_120_000,
  p99_ms: 14_400_000,
  max_ms: 15_240_118,
};

/** The operations of `reports`. */
export const reportsOperations = () => ({
  responseTimes: operation('reports.responseTimes', {
    get: '/reports/response-times',
    scopes: ['operate'],
    audience: ['operator'],
    tag: 'Work',
    summary: 'Report how fast payers answered over X12 in a month',
    description:
      'Reports how many X12 inquiries each payer got in a month and how fast it answered, as the CORE operating rules require.',
    limit: 'reads',
    input: ReportMonth,
    output: ResponseTimesReport,
    example: { month: '2026-11' },
    answers: {
      month: {
        month: '2026-11',
        items: [
          {
            payer_id: 'plan-1',
            inquiry_count: 1_284,
            within_20_seconds_share: 0.981,
            p50_ms: 2_140,
            p90_ms: 7_900,
            slowest_ms: 41_200,
          },
        ],
      },
    },
  }),

  askedCodes: operation('reports.askedCodes', {
    get: '/reports/asked-codes',
    scopes: ['operate'],
    audience: ['operator'],
    tag: 'Work',
    summary: 'Report which codes payers answered over X12 in a month',
    description:
      'Reports for each payer how many inquiries it got in a month, how many codes they asked for, how many it answered and how many it rejected, and which setting of its `inquiry` does not fit.',
    limit: 'reads',
    problems: ['not_found'],
    input: AskedCodesQuery,
    output: AskedCodesReport,
    example: { month: '2026-11', account_id: EXAMPLE_IDS.account },
    answers: {
      month: {
        month: '2026-11',
        items: [
          {
            payer_id: 'plan-1',
            inquiry_count: 2_140,
            further_inquiry_count: 856,
            dental: { asked_count: 812, answered_count: 790, refused_count: 0 },
            medical: { asked_count: 1_204, answered_count: 0, refused_count: 1_204 },
            setting: 'procedures',
            advice: 'It answered none of 1,204 CPT and HCPCS codes: set `procedures` to `cdt`.',
          },
        ],
      },
    },
  }),

  get: operation('reports.get', {
    get: '/reports',
    scopes: ['requests', 'operate'],
    audience: ['provider', 'operator'],
    tag: 'Reports',
    summary: 'Report how the work goes',
    description:
      'Reports by the hour or the day, of the caller’s own account or for operators of all; `of` says what. Each event counts in the step in which it happened. Counts are exact; quantiles are within 4.5 % of the exact ones. `held` needs the scope `operate`.',
    limit: 'reads',
    problems: ['not_found'],
    input: ReportQuery,
    output: Report,
    example: {
      of: 'requests',
      from: '2026-11-20T00:00:00Z',
      until: '2026-11-21T00:00:00Z',
      step: 'day',
      zone: 'UTC',
      account_id: EXAMPLE_IDS.account,
    },
    answers: {
      requests: {
        of: 'requests',
        ...head,
        items: [
          {
            ...step,
            received_count: 412,
            completed_count: 371,
            not_verified_count: 29,
            corrected_count: 2,
            met_count: 118,
            overdue_count: 3,
          },
        ],
      },
      times: {
        of: 'result_times',
        ...head,
        items: [
          { at: null, ...times },
          { ...step, ...times },
        ],
      },
      reasons: {
        of: 'failure_reasons',
        ...head,
        items: [{ at: null, reason: 'member_not_found', fixed_by: 'patient_data', count: 17 }],
      },
      queue: {
        of: 'queue',
        ...head,
        items: [
          {
            at: null,
            payer_id: 'plan-1',
            channel: 'manual_phone_call',
            waiting_count: 12,
            leased_count: 3,
            oldest_seconds: 840.2,
          },
        ],
      },
      held: {
        of: 'held',
        ...head,
        items: [
          { at: null, reason: 'input_mismatch', open_count: 3, oldest_seconds: 5_400 },
          { ...step, held_count: 5, applied_count: 1, dismissed_count: 1 },
        ],
      },
    },
  }),
});
