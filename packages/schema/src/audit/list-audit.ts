import type * as z from 'zod';
import { model } from '../model.ts';
import { cursorField, limitField } from '../page/page-fields.ts';
import { auditFilterFields } from './audit-filter-fields.ts';

/** The audit lines to list, newest first: those that match every given filter. */
export const ListAudit = model('ListAudit', 'Which lines of the audit to list, newest first.', {
  limit: limitField(),
  cursor: cursorField(),
  ...auditFilterFields(),
});
/** {@link ListAudit} as a type, after the default is filled in. */
export type ListAudit = z.infer<typeof ListAudit>;
