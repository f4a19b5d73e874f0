import type * as z from 'zod';
import { model } from '../../model.ts';
import { cursorField, limitField } from '../../page/page-fields.ts';
import { RequestState } from '../../request-state.ts';

/** Which requests to list, newest first (`requests.list`). */
export const ListRequests = model('ListRequests', 'Which requests to list, newest first.', {
  limit: limitField(),
  cursor: cursorField(),
  state: RequestState.optional().meta({ description: 'Only requests in this state; absent lists all.' }),
});
/** {@link ListRequests} as a type, after the default is filled in. */
export type ListRequests = z.infer<typeof ListRequests>;
