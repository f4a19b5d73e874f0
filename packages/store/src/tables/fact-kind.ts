/**
 * What is counted, and when:
 *
 * | kind                | one for each                                    | hour of                | timed                  |
 * |---------------------|-------------------------------------------------|------------------------|------------------------|
 * | `received`          | request                                         | its receipt            | –                      |
 * | `completed`         | first result that found out                     | its acceptance         | since the receipt      |
 * | `not_verified`      | first result that could not                     | its acceptance         | since the receipt      |
 * | `corrected`         | later result                                    | its acceptance         | –                      |
 * | `met`               | request with its first result when it is needed  | the time it is needed  | –                      |
 * | `overdue`           | request without its first result by then        | that                   | –                      |
 * | `attempt_succeeded` | attempt of a verifier that found out            | its end                | since its lease        |
 * | `attempt_failed`    | attempt of a verifier that could not            | its end                | since its lease        |
 * | `payer_answered`    | X12 inquiry with an answer                      | the inquiry            | until the answer       |
 * | `payer_silent`      | X12 inquiry without one                         | the inquiry            | until it was given up  |
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
  | 'held_dismissed';
