import { HeldReport } from '../reports/held-report.ts';
import { QueueReport, ReportQueue } from '../reports/queue-report.ts';
import { ReasonsReport, ReportReasons } from '../reports/reasons-report.ts';
import { ReportRange } from '../reports/report-range.ts';
import { RequestsReport } from '../reports/requests-report.ts';
import { ReportTimes, TimesReport } from '../reports/times-report.ts';
import { ReportMonth, ResponseTimesReport } from '../verification/evidence/response-times.ts';
import { EXAMPLE_IDS } from './examples/ids.ts';
import { exampleHead, exampleRange } from './examples/report.ts';
import { operation } from './operation.ts';

const times = {
  group: 'manual_phone_call',
  count: 96,
  within_20_seconds_count: 0,
  p50_ms: 2_710_500,
  p90_ms: 9_120_000,
  p99_ms: 14_400_000,
  max_ms: 15_240_118,
};

/** The operations of `reports`. */
export const reportsOperations = () => ({
  responseTimes: operation('reports.responseTimes', {
    get: '/reports/response-times',
    scopes: ['operate'],
    audience: ['operator'],
    tag: 'Work',
    summary: 'Report how fast payers answered over X12 in a month',
    description:
      'Tells for each payer that was asked over X12 in a month how many inquiries were sent and how fast they were answered, as the CORE operating rules ask.',
    limit: 'reads',
    input: ReportMonth,
    output: ResponseTimesReport,
    example: { month: '2026-11' },
    answers: {
      month: {
        month: '2026-11',
        items: [
          {
            payer_id: 'plan-1',
            inquiry_count: 1_284,
            within_20_seconds_share: 0.981,
            p50_ms: 2_140,
            p90_ms: 7_900,
            slowest_ms: 41_200,
          },
        ],
      },
    },
  }),

  requests: operation('reports.requests', {
    get: '/reports/requests',
    scopes: ['requests', 'operate'],
    audience: ['provider', 'operator'],
    tag: 'Reports',
    summary: 'Report requests by outcome',
    description:
      'Tells for each hour or day how many requests came in, how many were verified, how many could not be, how many results were corrected, and of those that were needed by a time (`Needed-By`) how many had a result by then; each in the step in which it happened.',
    limit: 'reads',
    problems: ['not_found'],
    input: ReportRange,
    output: RequestsReport,
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
  }),

  times: operation('reports.times', {
    get: '/reports/times',
    scopes: ['requests', 'operate'],
    audience: ['provider', 'operator'],
    tag: 'Reports',
    summary: 'Report how long something took',
    description:
      'Tells the median, the 90th and the 99th percentile of the time to a result, of the handling by a verifier, of payers’ X12 answers or of deliveries. Counts are exact; quantiles are within 4.5 % of the exact ones.',
    limit: 'reads',
    problems: ['not_found'],
    input: ReportTimes,
    output: TimesReport,
    example: { of: 'result', ...exampleRange },
    answers: {
      a_day: {
        of: 'result',
        ...exampleHead,
        totals: [times],
        items: [{ at: '2026-11-20T00:00:00.000Z', ...times }],
      },
    },
  }),

  reasons: operation('reports.reasons', {
    get: '/reports/reasons',
    scopes: ['requests', 'operate'],
    audience: ['provider', 'operator'],
    tag: 'Reports',
    summary: 'Report which reasons were given, and who must fix them',
    description:
      'Tells why requests could not be verified, or how webhook attempts ended: how often each reason was given, the most frequent first.',
    limit: 'reads',
    problems: ['not_found'],
    input: ReportReasons,
    output: ReasonsReport,
    example: { of: 'verification', ...exampleRange },
    answers: {
      a_day: {
        of: 'verification',
        ...exampleHead,
        items: [{ reason: 'member_not_found', fixed_by: 'patient_data', count: 17 }],
      },
    },
  }),

  queue: operation('reports.queue', {
    get: '/reports/queue',
    scopes: ['requests', 'operate'],
    audience: ['provider', 'operator'],
    tag: 'Reports',
    summary: 'Report what waits now',
    description:
      'Tells for each payer and channel how many requests wait, how many are worked on, and how long the oldest has waited.',
    limit: 'reads',
    problems: ['not_found'],
    input: ReportQueue,
    output: QueueReport,
    example: { account_id: EXAMPLE_IDS.account },
    answers: {
      one_place: {
        counted_at: '2026-11-21T09:30:00.000Z',
        items: [
          {
            payer_id: 'plan-1',
            channel: 'manual_phone_call',
            waiting_count: 12,
            leased_count: 3,
            oldest_seconds: 840.2,
          },
        ],
      },
    },
  }),

  held: operation('reports.held', {
    get: '/reports/held',
    scopes: ['operate'],
    audience: ['operator'],
    tag: 'Reports',
    summary: 'Report held outputs',
    description:
      'Tells for each hour or day how many outputs were held, applied and dismissed; and how many wait for an operator now, and for how long.',
    limit: 'reads',
    problems: ['not_found'],
    input: ReportRange,
    output: HeldReport,
    example: exampleRange,
    answers: {
      a_day: {
        ...exampleHead,
        open: [{ reason: 'input_mismatch', open_count: 3, oldest_seconds: 5_400 }],
        items: [{ at: '2026-11-20T00:00:00.000Z', held_count: 5, applied_count: 1, dismissed_count: 1 }],
      },
    },
  }),
});
