import { Report, ReportQuery } from '../reports/report.ts';
import { ReportMonth, ResponseTimesReport } from '../verification/evidence/response-times.ts';
import { EXAMPLE_IDS } from './examples/ids.ts';
import { operation } from './operation.ts';

const head = {
  from: '2026-11-20T00:00:00.000Z',
  until: '2026-11-21T00:00:00.000Z',
  step: 'day',
  zone: 'UTC',
  counted_until: '2026-11-21T09:30:00.000Z',
} as const;

const step = { at: '2026-11-20T00:00:00.000Z' };

const times = {
  channel: 'manual_phone_call',
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

  get: operation('reports.get', {
    get: '/reports',
    scopes: ['requests', 'operate'],
    audience: ['provider', 'operator'],
    tag: 'Reports',
    summary: 'Report how the work goes',
    description:
      'Reports by the hour or the day, of the caller’s own account or for operators of all: requests by outcome and how many had a result when they were needed (`Needed-By`), how long results, handling, payers’ X12 answers and deliveries took, why requests could not be verified and who must fix it, how webhook attempts ended, what waits now, and what is held. Each event counts in the step in which it happened. Counts are exact; quantiles are within 4.5 % of the exact ones. `held` needs the scope `operate`.',
    limit: 'reads',
    problems: ['not_found'],
    input: ReportQuery,
    output: Report,
    example: {
      of: 'requests',
      from: '2026-11-20T00:00:00Z',
      until: '2026-11-21T00:00:00Z',
      step: 'day',
      zone: 'UTC',
      account_id: EXAMPLE_IDS.account,
    },
    answers: {
      requests: {
        of: 'requests',
        ...head,
        items: [
          {
            ...step,
            received_count: 412,
            completed_count: 371,
            not_verified_count: 29,
            corrected_count: 2,
            met_count: 118,
            overdue_count: 3,
          },
        ],
      },
      times: {
        of: 'result_times',
        ...head,
        items: [
          { at: null, ...times },
          { ...step, ...times },
        ],
      },
      reasons: {
        of: 'failure_reasons',
        ...head,
        items: [{ at: null, reason: 'member_not_found', fixed_by: 'patient_data', count: 17 }],
      },
      queue: {
        of: 'queue',
        ...head,
        items: [
          {
            at: null,
            payer_id: 'plan-1',
            channel: 'manual_phone_call',
            waiting_count: 12,
            leased_count: 3,
            oldest_seconds: 840.2,
          },
        ],
      },
      held: {
        of: 'held',
        ...head,
        items: [
          { at: null, reason: 'input_mismatch', open_count: 3, oldest_seconds: 5_400 },
          { ...step, held_count: 5, applied_count: 1, dismissed_count: 1 },
        ],
      },
    },
  }),
});
