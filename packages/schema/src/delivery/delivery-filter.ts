import * as z from 'zod';
import { dateTime } from '../field/date/date-time.ts';
import { AttemptOutcome } from './attempt-outcome.ts';

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
