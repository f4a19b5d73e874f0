import * as z from 'zod';
import { RequestRef } from '../intake/request-ref.ts';
import { model } from '../model.ts';
import { revision } from './save-draft.ts';

/** Discards a draft: the input of `drafts.discard` besides the request's id. */
export const DiscardDraft = model('DiscardDraft', "Discards the caller's draft.", {
  revision: revision().meta({ description: 'The revision that is discarded.' }),
});
/** {@link DiscardDraft} as a type. */
export type DiscardDraft = z.infer<typeof DiscardDraft>;

/** A draft that was discarded (`drafts.discard`). */
export const DiscardedDraft = model('DiscardedDraft', 'A draft that was discarded.', {
  ...RequestRef.shape,
  status: z.literal('discarded').meta({ description: 'It is gone.' }),
});
/** {@link DiscardedDraft} as a type. */
export type DiscardedDraft = z.infer<typeof DiscardedDraft>;
