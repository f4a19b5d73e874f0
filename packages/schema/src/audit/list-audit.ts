import * as z from 'zod';
import { dateTime } from '../field/date/date-time.ts';
import { model } from '../model.ts';
import { cursorField, limitField } from '../page/page-fields.ts';

/** The audit lines to list, newest first: those that match every given filter. */
export const ListAudit = model('ListAudit', 'Which lines of the audit to list, newest first.', {
  limit: limitField(),
  cursor: cursorField(),
  key_id: z.string().optional().meta({ description: 'Only what this key did, or this person (stf_…).' }),
  account_id: z.string().optional().meta({ description: 'Only what keys of this account did.' }),
  operation: z.string().optional().meta({ description: 'Only this operation, for example requests.get.' }),
  request_id: z.string().optional().meta({ description: 'Only what concerns this request.' }),
  subject_id: z.string().optional().meta({
    description: 'Only what was done to this account, key, person, session or held output, or made it.',
  }),
  since: dateTime().optional().meta({ description: 'Only what happened at this time or later.' }),
  until: dateTime().optional().meta({ description: 'Only what happened before this time.' }),
});
/** {@link ListAudit} as a type, after the default is filled in. */
export type ListAudit = z.infer<typeof ListAudit>;
