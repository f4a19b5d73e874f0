import * as z from 'zod';
import { dateTime } from '../field/date/date-time.ts';
import { wholeNumber } from '../field/whole-number.ts';
import { model } from '../model.ts';
import { AttemptOutcome } from './attempt-outcome.ts';

/** One attempt to post a result to its callback address (`requests.deliveries`). */
export const DeliveryAttempt = model(
  'DeliveryAttempt',
  'One attempt to post a result to its callback address.',
  {
    number: wholeNumber().meta({ description: 'Which attempt, from 1.' }),
    at: dateTime().meta({ description: 'When it started.' }),
    outcome: AttemptOutcome.meta({ description: 'How it ended.' }),
    status_code: wholeNumber()
      .nullable()
      .meta({ description: 'The HTTP status the receiver answered; null when none came.' }),
    duration_ms: wholeNumber().meta({ description: 'How long it took, in milliseconds.' }),
    response_snippet: z.string().nullable().meta({
      description: 'The start of what the receiver answered, at most 2 KB; null when nothing came.',
    }),
  },
);
export type DeliveryAttempt = z.infer<typeof DeliveryAttempt>;
