import * as z from 'zod';
import { list } from '../../field/list.ts';
import { wholeNumber } from '../../field/whole-number.ts';
import { model } from '../../model.ts';

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
/** {@link ReportMonth} as a type. */
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
/** {@link PayerResponseTimes} as a type. */
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
/** {@link ResponseTimesReport} as a type. */
export type ResponseTimesReport = z.infer<typeof ResponseTimesReport>;
