import * as z from 'zod';
import { dateTime } from '../../field/date/date-time.ts';
import { list } from '../../field/list.ts';
import { wholeNumber } from '../../field/whole-number.ts';
import { model } from '../../model.ts';
import { ErrorReason } from '../../reason/error-reason.ts';
import { FixedBy } from '../../reason/fixed-by.ts';

/** One inquiry (X12 270) that the API channel sent to a payer, and the answer. */
export const X12Exchange = model(
  'X12Exchange',
  'One inquiry (X12 270) that the API channel sent to a payer, and what came back.',
  {
    control_number: wholeNumber().meta({
      description: "ISA13 of the inquiry: what the payer's support asks for.",
    }),
    payer_id: z.string().meta({ description: "The payer's id in the configuration." }),
    started_at: dateTime().meta({ description: 'When it was sent.' }),
    duration_ms: wholeNumber().meta({ description: 'How long it took.' }),
    status_code: wholeNumber()
      .nullable()
      .meta({ description: 'The HTTP status; null when no status line came.' }),
    error_reason: ErrorReason.nullable().meta({
      description: 'What the answer was read as; null when it was a result.',
    }),
    fixed_by: FixedBy.nullable().meta({ description: 'Who has to act on the error reason.' }),
    explanation: z
      .string()
      .nullable()
      .meta({ description: 'The error reason as a sentence for staff; null without one.' }),
    payer_codes: list(z.string()).meta({
      description:
        "The payer's own codes, the deciding one first, such as `AAA 72`; empty when it sent none.",
    }),
    inquiry: z.string().meta({ description: 'The 270 as it was sent.' }),
    answer: z.string().nullable().meta({
      description:
        'What came back: UTF-8, else Latin-1. For operators as it came, X12 or not; for the account that asked the X12 in it. Null when nothing came, and for that account when no X12 did.',
    }),
  },
);
export type X12Exchange = z.infer<typeof X12Exchange>;

/** Every exchange about one request, first to last; each retry has its own. */
export const X12ExchangeList = model('X12ExchangeList', 'Every exchange with a payer about one request.', {
  items: list(X12Exchange).meta({ description: 'The exchanges, first to last.' }),
});
export type X12ExchangeList = z.infer<typeof X12ExchangeList>;
