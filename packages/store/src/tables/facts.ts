import type { Generated } from 'kysely';

/**
 * What is counted, and when:
 *
 * | kind                | one for each                                    | hour of                | timed                  |
 * |---------------------|-------------------------------------------------|------------------------|------------------------|
 * | `received`          | request                                         | its receipt            | –                      |
 * | `completed`         | first result that verified                     | its acceptance         | since the receipt      |
 * | `not_verified`      | first result that could not                     | its acceptance         | since the receipt      |
 * | `corrected`         | later result                                    | its acceptance         | –                      |
 * | `met`               | request with its first result when it is needed  | the time it is needed  | –                      |
 * | `overdue`           | request without its first result by then        | that                   | –                      |
 * | `attempt_succeeded` | attempt of a verifier that succeeded           | its end                | since its lease        |
 * | `attempt_failed`    | attempt of a verifier that could not            | its end                | since its lease        |
 * | `payer_answered`    | X12 inquiry with an answer                      | the inquiry            | until the answer       |
 * | `payer_silent`      | X12 inquiry without one                         | the inquiry            | until it was given up  |
 * | `further_inquiry`   | X12 inquiry after the first of a request, by retry | the inquiry          | –                      |
 * | `code_asked`        | code in an X12 inquiry with an answer; its reason is the list, `dental` or `medical` | the inquiry | – |
 * | `code_answered`     | code that the answer speaks of                  | the inquiry            | –                      |
 * | `code_refused`      | code that the answer rejects                    | the inquiry            | –                      |
 * | `sent`              | webhook attempt                                 | its end                | its duration           |
 * | `delivered`         | delivery's first successful attempt             | its end                | since the acceptance   |
 * | `held`              | output held                                     | its receipt            | –                      |
 * | `held_applied`      | held output that was applied                    | that                   | since it was held      |
 * | `held_dismissed`    | held output that was dismissed                  | that                   | since it was held      |
 *
 * Events never change, so neither do facts once they are counted.
 */
export type FactKind =
  | 'received'
  | 'completed'
  | 'not_verified'
  | 'corrected'
  | 'met'
  | 'overdue'
  | 'attempt_succeeded'
  | 'attempt_failed'
  | 'payer_answered'
  | 'payer_silent'
  | 'sent'
  | 'delivered'
  | 'held'
  | 'held_applied'
  | 'held_dismissed'
  | 'further_inquiry'
  | 'code_asked'
  | 'code_answered'
  | 'code_refused';

export interface FactTables {
  hourly_fact: HourlyFactTable;
  fact_progress: FactProgressTable;
  queue_depth: QueueDepthTable;
  queue_count: QueueCountTable;
}

interface HourlyFactTable {
  /** An account's id; `live` or `test` for all accounts of that mode. */
  account_id: string;
  kind: FactKind;
  hour: Date;
  /** Empty where it does not apply, like the next two. */
  payer_id: string;
  channel: string;
  reason: string;
  count: number;
  sum_ms: string;
  max_ms: string;
  /** Null where nothing is timed. Ascending. */
  buckets: number[] | null;
  bucket_counts: number[] | null;
}

interface FactProgressTable {
  id: Generated<boolean>;
  counted_until: Date;
  /** Events in the last batch. */
  event_count: number;
}

/** A queue whose depth is counted. */
export type QueueKind = 'work' | 'delivery';

interface QueueDepthTable {
  queue: QueueKind;
  account_id: string;
  payer_id: string;
  channel: string;
  waiting_count: number;
  leased_count: number;
  overdue_count: number;
  claimable_count: number;
  oldest_due_at: Date | null;
  oldest_claimable_at: Date | null;
  late_count: Generated<number>;
  next_needed_at: Date | null;
}

interface QueueCountTable {
  queue: QueueKind;
  counted_at: Date;
  row_count: number;
  duration_ms: number;
}
