import { list } from '../field/list.ts';
import { model } from '../model.ts';
import { nextCursorField } from '../page/page-fields.ts';
import type { PayerNames } from '../payers.ts';
import type { createRequestModel } from './request-model.ts';

/** One page of requests, newest first (`requests.list`). */
export function createRequestList<P extends PayerNames>(
  requestModel: ReturnType<typeof createRequestModel<P>>,
) {
  return model('RequestList', 'One page of requests.', {
    items: list(requestModel).meta({ description: 'The requests, newest first.' }),
    next_cursor: nextCursorField(),
  });
}
