import * as z from 'zod';
import { model } from '../model.ts';

/** The revision of a draft, as it was answered. */
export const revision = () => z.int().min(1);

/** The revision that a change starts from, so that of two writers the second learns of the first. */
export function revisionField() {
  return revision().nullable().meta({
    description: "The revision of the caller's draft that this replaces; null when there is none.",
  });
}

/** Saves a draft: the input of `drafts.save` besides the request's id. */
export const SaveDraft = model('SaveDraft', 'Saves what is written so far.', {
  content: z
    .string()
    .max(131_072)
    .meta({ description: 'Any text, 131,072 characters at most; the console saves its form as JSON.' }),
  revision: revisionField(),
});
/** {@link SaveDraft} as a type. */
export type SaveDraft = z.infer<typeof SaveDraft>;
