import { dropConstraint } from '../online/divide-by-month.ts';
import type { OnlineMigration } from '../online/online-migration.ts';

const CHECKS = {
  request: [
    'request_channel_check',
    'request_check',
    'request_check1',
    'request_check2',
    'request_delivers_outcome',
    'request_delivery_check',
    'request_outcome_check',
  ],
  result: ['result_outcome_check', 'result_version_check'],
  verification_attempt: [
    'verification_attempt_channel_check',
    'verification_attempt_check',
    'verification_attempt_number_check',
    'verification_attempt_outcome_check',
  ],
  delivery: ['delivery_check', 'delivery_status_check'],
  delivery_attempt: ['delivery_attempt_number_check'],
};

/**
 * Drops the checks of what is kept by month. PostgreSQL reads each from its text for every statement that writes a row:
 * the seven of a request took a commit of intake 70 to 90 µs, and 2 µs a row. No client chooses these values: the
 * statements of this package do, and its tests run with the checks.
 */
export const monthChecks: OnlineMigration = {
  steps: Object.entries(CHECKS).flatMap(([table, names]) => names.map((name) => dropConstraint(table, name))),
};
