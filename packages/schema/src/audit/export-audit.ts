import * as z from 'zod';
import { list } from '../field/list.ts';
import { model } from '../model.ts';
import { cursorField, nextCursorField } from '../page/page-fields.ts';
import { auditFilterFields } from './audit-filter-fields.ts';

/** The forms that the audit is exported in. */
export const AuditFormat = z.enum(['ndjson', 'csv']).meta({
  id: 'AuditFormat',
  description:
    'ndjson: an AuditLine as JSON on each line. csv: a heading, then a line of comma-separated values for each (RFC 4180); a text that begins like a formula gets an apostrophe.',
});
/** {@link AuditFormat} as a type. */
export type AuditFormat = z.infer<typeof AuditFormat>;

/** Which lines of the audit to export, and how: those that match every given filter, newest first. */
export const ExportAudit = model(
  'ExportAudit',
  'Which lines of the audit to export, newest first, and how.',
  {
    format: AuditFormat.default('ndjson').meta({ description: 'The form of the file; ndjson when absent.' }),
    limit: z.int().min(1).max(1000).default(1000).meta({
      description: 'How many lines of the audit at most, 1 to 1,000.',
    }),
    cursor: cursorField(),
    ...auditFilterFields(),
  },
);
/** {@link ExportAudit} as a type, after the defaults are filled in. */
export type ExportAudit = z.infer<typeof ExportAudit>;

/**
 * A part of a file: the file is the `items` of all parts, one after the other. A part may be short or empty before the
 * last one: only a `next_cursor` of null marks the end.
 */
export const AuditExport = model('AuditExport', 'A part of an exported file.', {
  media_type: z.string().meta({ description: 'The media type of the file.' }),
  items: list(z.string()).meta({
    description:
      'The lines of the file, each with its line end; in CSV the first part begins with the heading. With filters that few lines meet a part may be short or empty before the last.',
  }),
  next_cursor: nextCursorField().meta({
    description: 'The cursor of the next part; null on the last, and only there.',
  }),
});
/** {@link AuditExport} as a type. */
export type AuditExport = z.infer<typeof AuditExport>;
