import * as z from 'zod';
import { dateTime } from '../../field/date/date-time.ts';
import { list } from '../../field/list.ts';
import { model } from '../../model.ts';
import { nextCursorField } from '../../page/page-fields.ts';
import type { PayerNames } from '../../payers.ts';
import { RequestState } from '../../request-state.ts';
import type { createRequestModel } from '../request-model.ts';

/** What a list shows of a request whose data was erased (`requests.list`). */
export const ErasedRequest = model('ErasedRequest', 'A request whose data was erased.', {
  request_id: z.string().meta({ description: 'The id the service issued.' }),
  received_timestamp: dateTime().meta({ description: 'When the service received the request.' }),
  state: RequestState.meta({ description: 'How it ended.' }),
  error_reason: z.string().nullable().meta({
    description: 'Why it failed, a slug of the registry; null when nothing failed, or that was free text.',
  }),
  erased_at: dateTime().meta({ description: 'When its data was erased.' }),
});
export type ErasedRequest = z.infer<typeof ErasedRequest>;

/** One page of requests, newest first (`requests.list`). */
export function createRequestList<P extends PayerNames>(
  requestModel: ReturnType<typeof createRequestModel<P>>,
) {
  return model('RequestList', 'One page of requests.', {
    items: list(requestModel).meta({
      description: 'The requests, newest first. Those whose data was erased are in `erased`.',
    }),
    erased: list(ErasedRequest).meta({
      description: "The page's requests whose data was erased at the end of their retention, newest first.",
    }),
    next_cursor: nextCursorField(),
  });
}
