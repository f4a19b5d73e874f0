import * as z from 'zod';
import { model } from '../../model.ts';

/** The patient as the requester knows them. All plain strings: the spec declares no formats. */
export const PatientInfo = model('PatientInfo', 'The patient whose eligibility is verified.', {
  subscriber_id: z
    .string()
    .meta({ description: "The subscriber's member id with the payer, as on the card." }),
  dob: z
    .string()
    .optional()
    .meta({ description: 'Date of birth, free text; YYYY-MM-DD is best understood. Not null.' }),
  name: z.string().nullable().optional().meta({ description: 'Full name; null when unknown.' }),
  address: z.string().nullable().optional().meta({ description: 'Postal address; null when unknown.' }),
});
export type PatientInfo = z.infer<typeof PatientInfo>;
