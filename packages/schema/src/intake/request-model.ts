import * as z from 'zod';
import { dateTime } from '../field/date/date-time.ts';
import { model } from '../model.ts';
import type { PayerNames } from '../payers.ts';
import { RequestState } from '../request-state.ts';
import type { createRequestInfo } from './info/request-info.ts';

/** A request as the service holds it. */
export function createRequestModel<P extends PayerNames>(
  requestInfo: ReturnType<typeof createRequestInfo<P>>,
) {
  return model('RequestModel', 'A request as the service holds it.', {
    request_id: z.string().nullable().meta({
      description:
        'The id the service issued. The key is always present; null only in an output for no known request.',
    }),
    input: requestInfo.meta({ description: 'The request as it was posted, known fields only.' }),
    received_timestamp: dateTime().meta({ description: 'When the service received the request.' }),
    state: RequestState.meta({ description: 'How far the request has come.' }),
    error_reason: z.string().nullable().optional().meta({
      description:
        'Why it failed: a slug of the error_reason registry, or free text from a verifier. Null when nothing failed.',
    }),
  });
}
