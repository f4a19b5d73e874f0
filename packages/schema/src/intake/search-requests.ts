import * as z from 'zod';
import { list } from '../field/list.ts';
import { model } from '../model.ts';
import { cursorField, limitField, nextCursorField } from '../page/page-fields.ts';
import type { PayerNames } from '../payers.ts';
import type { createRequestModel } from './request-model.ts';

/** The criteria of a search in the requests of every account (`requests.search`): one of the first two, or both. */
export const SearchRequests = model('SearchRequests', 'What to search requests of every account by.', {
  request_id: z.string().optional().meta({ description: 'Only the request of this id.' }),
  idempotency_key: z.string().optional().meta({
    description:
      'Only requests that were created with this Idempotency-Key, which every account may have used; for 24 hours at least.',
  }),
  account_id: z.string().optional().meta({ description: 'Only requests of this account; absent: of any.' }),
  limit: limitField(),
  cursor: cursorField(),
});
/** {@link SearchRequests} as a type, after the default is filled in. */
export type SearchRequests = z.infer<typeof SearchRequests>;

/** A request found by a search, with its account. */
export function createFoundRequest<P extends PayerNames>(
  requestModel: ReturnType<typeof createRequestModel<P>>,
) {
  return model('FoundRequest', 'A request that a search found, and whose it is.', {
    account_id: z.string().meta({ description: 'The account that created it.' }),
    request: requestModel.meta({ description: 'The request as it stands now.' }),
  });
}

/** One page of search results, newest first (`requests.search`). */
export function createFoundRequestList<P extends PayerNames>(
  foundRequest: ReturnType<typeof createFoundRequest<P>>,
) {
  return model('FoundRequestList', 'One page of what a search found.', {
    items: list(foundRequest).meta({ description: 'What was found, newest first; empty when nothing was.' }),
    next_cursor: nextCursorField(),
  });
}
