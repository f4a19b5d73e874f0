import * as z from 'zod';
import { dateTime } from '../field/date/date-time.ts';
import { model } from '../model.ts';

/** Who works on a request that was asked for by name (`request_leased`). */
export const HeldLease = model('HeldLease', 'Who works on a request, and until when.', {
  holder_name: z.string().nullable().meta({ description: "The person's name; null for a key." }),
  expires_at: dateTime().meta({ description: 'When the lease ends, unless it is renewed.' }),
  place: z.enum(['phone', 'portal']).nullable().meta({
    description:
      'Where the payer is being asked: on the phone, or in its portal, as the verifier reported; null if it did not.',
  }),
});
export type HeldLease = z.infer<typeof HeldLease>;
