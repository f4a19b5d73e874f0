import { createIndex, type OnlineMigration } from '../online/online-migration.ts';

/**
 * The held outputs of one request, for its page. One index for both kinds of senders: a row names its request in
 * request_id or, of an anonymous sender, in named_request_id.
 */
export const heldOfRequest: OnlineMigration = {
  steps: [
    createIndex(
      'held_output_request',
      `held_output ((coalesce(request_id, named_request_id)), id)
       where coalesce(request_id, named_request_id) is not null`,
    ),
  ],
};
