import { divideByMonth, dropConstraint } from '../online/divide-by-month.ts';
import type { OnlineMigration } from '../online/online-migration.ts';

/** Requests become one table per month, like everything about them: a month goes with its tables alone. */
export const requestMonths: OnlineMigration = {
  steps: [
    // No month of requests could be detached beside it. Whoever saves a draft has locked its request.
    dropConstraint('draft', 'draft_request_id_fkey'),
    ...divideByMonth({ table: 'request', key: 'id', prefix: 'req' }),
  ],
};
