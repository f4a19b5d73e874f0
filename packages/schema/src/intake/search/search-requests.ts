import * as z from 'zod';
import { dateTime } from '../../field/date/date-time.ts';
import { model } from '../../model.ts';
import { cursorField, limitField, orderField } from '../../page/page-fields.ts';
import { RequestState } from '../../request-state.ts';
import { VerificationSource } from '../../verification/verification-source.ts';

/** The requests to find (`requests.search`): those that match every given criterion. */
export const SearchRequests = model('SearchRequests', 'Which requests to find.', {
  request_id: z.string().optional().meta({ description: 'Only the request of this id.' }),
  idempotency_key: z.string().optional().meta({
    description:
      'Only requests that were created with this Idempotency-Key, which every account may have used; for 24 hours at least.',
  }),
  subscriber_id: z.string().optional().meta({
    description:
      "Only requests about this member id, the whole of it; white space and the case of letters do not count. It is a patient's: send it only in a body.",
  }),
  npi: z.string().optional().meta({
    description: 'Only requests of the provider with this NPI, the whole of it; white space does not count.',
  }),
  account_id: z.string().optional().meta({ description: 'Only requests of this account; absent: of any.' }),
  payer_id: z.string().optional().meta({ description: 'Only requests to this payer, by its id.' }),
  state: RequestState.optional().meta({ description: 'Only requests in this state.' }),
  error_reason: z.string().optional().meta({
    description: 'Only requests that failed for this reason, for example member_not_found.',
  }),
  channel: VerificationSource.optional().meta({
    description: 'Only requests that wait in this channel, or were in it last.',
  }),
  late: z.literal(true).optional().meta({
    description: 'Only requests without a result although the time at which they are needed is past.',
  }),
  since: dateTime().optional().meta({ description: 'Only requests received at this time or later.' }),
  until: dateTime().optional().meta({ description: 'Only requests received before this time.' }),
  limit: limitField(),
  cursor: cursorField(),
  order: orderField(),
});
/** {@link SearchRequests} as a type, after the default is filled in. */
export type SearchRequests = z.infer<typeof SearchRequests>;
