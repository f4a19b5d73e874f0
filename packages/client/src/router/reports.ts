import type {
  HeldReport,
  QueueReport,
  ReasonsReport,
  ReportMonth,
  ReportQueue,
  ReportRange,
  ReportReasons,
  ReportTimes,
  RequestsReport,
  ResponseTimesReport,
  TimesReport,
} from '@insurance-verification/schema';
import type * as z from 'zod';
import type { Query } from './procedure.ts';

/** Counts and times, by hour or day. */
export interface ReportsProcedures {
  reports: {
    /** Each payer's X12 response times in a month; defaults to the current one. */
    responseTimes: Query<ReportMonth, ResponseTimesReport>;
    /** Requests by outcome, by hour or day: of one's own account, or for operators of all. */
    requests: Query<z.input<typeof ReportRange>, RequestsReport>;
    /** How long results, handling, payers' answers or deliveries took, by hour or day. */
    times: Query<z.input<typeof ReportTimes>, TimesReport>;
    /** How often which reason was given, and who has to act on it. */
    reasons: Query<z.input<typeof ReportReasons>, ReasonsReport>;
    /** What waits now, by payer and channel. */
    queue: Query<ReportQueue, QueueReport>;
    /** Held outputs by hour or day, and what is held now: for operators. */
    held: Query<z.input<typeof ReportRange>, HeldReport>;
  };
}
