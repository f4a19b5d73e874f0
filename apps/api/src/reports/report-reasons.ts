import { ReasonsReport, ReportReasons } from '@insurance-verification/schema';
import { reportReasons as reportStoredReasons } from '@insurance-verification/store';
import { refuse } from '../procedure/problem/refuse.ts';
import { query } from '../procedure/trpc.ts';
import { exampleHead, exampleRange } from './example-report.ts';
import { headOf, readRange } from './read-range.ts';

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
    handler: async ({ ctx, input }) => {
      const range = readRange(input);
      const { of } = input;
      const report = await reportStoredReasons(ctx.app.store, {
        caller: ctx.caller,
        accountId: input.account_id,
        of,
        ...range,
      });
      return report.kind === 'reported' ? { of, ...headOf(range), ...report } : refuse(report);
    },
  });
