import { ReportRange, RequestsReport } from '@insurance-verification/schema';
import { reportRequests as reportStoredRequests } from '@insurance-verification/store';
import { exampleHead, exampleRange } from '../examples/report.ts';
import { query } from '../procedure/trpc.ts';
import { reporting } from './reporting.ts';

/** Requests by outcome, by hour or day. */
export const reportRequests = () =>
  query({
    meta: {
      operation: 'reports.requests',
      openapi: {
        summary: 'Report requests by outcome',
        description:
          'Tells for each hour or day how many requests came in, how many were verified, how many could not be, how many results were corrected, and of those that were needed by a time (`Needed-By`) how many had a result by then; each in the step in which it happened.',
        tags: ['Reports'],
      },
      limit: 'reads',
      problems: ['not_found'],
      example: exampleRange,
      answers: {
        a_day: {
          ...exampleHead,
          items: [
            {
              at: '2026-11-20T00:00:00.000Z',
              received_count: 412,
              completed_count: 371,
              not_verified_count: 29,
              corrected_count: 2,
              met_count: 118,
              overdue_count: 3,
            },
          ],
        },
      },
    },
    input: ReportRange,
    output: RequestsReport,
    handler: reporting(reportStoredRequests),
  });
