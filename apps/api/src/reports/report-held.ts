import { HeldReport, ReportRange } from '@insurance-verification/schema';
import { reportHeld as reportStoredHeld } from '@insurance-verification/store';
import { exampleHead, exampleRange } from '../examples/report.ts';
import { query } from '../procedure/trpc.ts';
import { reporting } from './reporting.ts';

/** Held outputs by hour or day, and what is held now. */
export const reportHeld = () =>
  query({
    meta: {
      operation: 'reports.held',
      openapi: {
        summary: 'Report held outputs',
        description:
          'Tells for each hour or day how many outputs were held, applied and dismissed; and how many wait for an operator now, and for how long.',
        tags: ['Reports'],
      },
      limit: 'reads',
      problems: ['not_found'],
      example: exampleRange,
      answers: {
        a_day: {
          ...exampleHead,
          open: [{ reason: 'input_mismatch', open_count: 3, oldest_seconds: 5_400 }],
          items: [{ at: '2026-11-20T00:00:00.000Z', held_count: 5, applied_count: 1, dismissed_count: 1 }],
        },
      },
    },
    input: ReportRange,
    output: HeldReport,
    handler: reporting(reportStoredHeld),
  });
