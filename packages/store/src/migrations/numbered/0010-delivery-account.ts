import { createIndex, type OnlineMigration } from '../online/online-migration.ts';

/**
 * An account's deliveries, newest first, and those of them that were given up: what lists, and counts of those to send
 * again, walk. Ids hold their time, so it also serves a range of time. Neither has a column that changes with a delivery
 * that succeeds, so its updates stay within their page (HOT).
 */
export const deliveryAccount: OnlineMigration = {
  steps: [
    createIndex('delivery_account', 'delivery (account_id, id)'),
    createIndex('delivery_given_up', 'delivery (account_id, id) where exhausted_at is not null'),
  ],
};
