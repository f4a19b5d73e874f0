import type * as z from 'zod';
import { model } from '../model.ts';
import { leaseToken } from '../verification/work/lease-token.ts';
import { revisionField } from './save-draft.ts';

/** Takes over somebody else's draft: the input of `drafts.adopt` besides the request's id. */
export const AdoptDraft = model('AdoptDraft', "Takes over somebody else's draft.", {
  lease_token: leaseToken(),
  revision: revisionField(),
});
/** {@link AdoptDraft} as a type. */
export type AdoptDraft = z.infer<typeof AdoptDraft>;
