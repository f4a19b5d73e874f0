import * as z from 'zod';
import { dateTime } from '../field/date/date-time.ts';
import { wholeNumber } from '../field/whole-number.ts';
import { AttemptOutcome } from './attempt-outcome.ts';

/** How a redelivery of many is asked for: counted first, then done with the token of that count. */
export const countedFirst = {
  dry_run: z.boolean().default(false).meta({
    description: 'True: only counts them, and answers the token that a call to send them needs.',
  }),
  token: z.string().optional().meta({
    description:
      'The token of a dry run with the same filters; needed unless dry_run is true. Nothing is sent again that it did not count.',
  }),
} as const;

/** How many deliveries match, or were sent again. */
export const countedAnswer = {
  matching: wholeNumber().meta({ description: 'How many the dry run counted, the limit at most.' }),
  redelivered: wholeNumber().meta({
    description: 'How many of them this call put under way; 0 for a dry run.',
  }),
  more: z.boolean().meta({ description: 'True: more match than the limit, so ask and call again.' }),
  token: z.string().nullable().meta({
    description:
      'What the call that sends them again must name; null where none matches, and unless it was a dry run.',
  }),
} as const;

/** What deliveries are selected by, besides their status; those that match every given filter. */
export const deliveryFilter = {
  account_id: z
    .string()
    .optional()
    .meta({ description: 'Only deliveries of this account; absent: of every account within reach.' }),
  request_id: z.string().optional().meta({ description: 'Only deliveries of this request.' }),
  host: z.string().optional().meta({
    description:
      'Only deliveries to this host, as in the callback address: receiver.example, or receiver.example:8443. Without a port, of both 443 and 80.',
  }),
  outcome: AttemptOutcome.optional().meta({ description: 'Only those whose last attempt ended like this.' }),
  status_code: z
    .int()
    .min(100)
    .max(599)
    .optional()
    .meta({ description: 'Only those whose receiver answered the last attempt with this HTTP status.' }),
  reason: z
    .string()
    .optional()
    .meta({ description: 'Only those given up for this reason, for example webhook_exhausted.' }),
  attempts_min: z
    .int()
    .min(0)
    .max(1_000_000)
    .optional()
    .meta({ description: 'Only those with so many attempts or more.' }),
  until: dateTime()
    .optional()
    .meta({ description: 'Only those whose result was accepted before this time.' }),
} as const;
