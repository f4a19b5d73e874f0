import { ReasonsReport, ReportReasons } from '@insurance-verification/schema';
import { reportReasons as reportStoredReasons } from '@insurance-verification/store';
import { exampleHead, exampleRange } from '../examples/report.ts';
import { query } from '../procedure/trpc.ts';
import { reporting } from './reporting.ts';

/** How often which reason was given, and who has to act on it. */
export const reportReasons = () =>
  query({
    meta: {
      operation: 'reports.reasons',
      openapi: {
        summary: 'Report which reasons were given, and who must fix them',
        description:
          'Tells why requests could not be verified, or how webhook attempts ended: how often each reason was given, the most frequent first.',
        tags: ['Reports'],
      },
      limit: 'reads',
      problems: ['not_found'],
      example: { of: 'verification', ...exampleRange },
      answers: {
        a_day: {
          of: 'verification',
          ...exampleHead,
          items: [{ reason: 'member_not_found', fixed_by: 'patient_data', count: 17 }],
        },
      },
    },
    input: ReportReasons,
    output: ReasonsReport,
    handler: reporting(reportStoredReasons),
  });
