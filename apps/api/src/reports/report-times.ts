import { ReportTimes, TimesReport } from '@insurance-verification/schema';
import { reportTimes as reportStoredTimes } from '@insurance-verification/store';
import { exampleHead, exampleRange } from '../examples/report.ts';
import { query } from '../procedure/trpc.ts';
import { reporting } from './reporting.ts';

const times = {
  group: 'manual_phone_call',
  count: 96,
  within_20_seconds_count: 0,
  p50_ms: 2_710_500,
  p90_ms: 9_120_000,
  p99_ms: 14_400_000,
  max_ms: 15_240_118,
};

/** How long something took, by hour or day, and by channel or payer. */
export const reportTimes = () =>
  query({
    meta: {
      operation: 'reports.times',
      openapi: {
        summary: 'Report how long something took',
        description:
          'Tells the median, the 90th and the 99th percentile of the time to a result, of the handling by a verifier, of payers’ X12 answers or of deliveries. Counts are exact; quantiles are within 4.5 % of the exact ones.',
        tags: ['Reports'],
      },
      limit: 'reads',
      problems: ['not_found'],
      example: { of: 'result', ...exampleRange },
      answers: {
        a_day: {
          of: 'result',
          ...exampleHead,
          totals: [times],
          items: [{ at: '2026-11-20T00:00:00.000Z', ...times }],
        },
      },
    },
    input: ReportTimes,
    output: TimesReport,
    handler: reporting(reportStoredTimes),
  });
