import * as z from 'zod';
import { dateTime } from '../field/date/date-time.ts';

/** Which lines of the audit: those that match every given filter. */
export const auditFilterFields = () => ({
  key_id: z.string().optional().meta({ description: 'Only what this key did, or this person (stf_…).' }),
  name: z.string().min(1).max(100).optional().meta({
    description:
      'Only what was done by people and keys whose name, as the line has it, has these letters in it, in any case.',
  }),
  account_id: z.string().optional().meta({
    description: 'Only what concerns requests of this account, whoever did it.',
  }),
  operation: z.string().optional().meta({ description: 'Only this operation, for example requests.get.' }),
  request_id: z
    .string()
    .optional()
    .meta({ description: 'Only what concerns this request, also lists that it was in.' }),
  subject_id: z.string().optional().meta({
    description: 'Only what was done to this account, key, person, session or held output, or made it.',
  }),
  since: dateTime().optional().meta({ description: 'Only what happened at this time or later.' }),
  until: dateTime().optional().meta({ description: 'Only what happened before this time.' }),
});
