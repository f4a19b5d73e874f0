import * as z from 'zod';
import { dateTime } from '../field/date/date-time.ts';
import { wholeNumber } from '../field/whole-number.ts';
import { model } from '../model.ts';

const savedDraftShape = {
  request_id: z.string().meta({ description: 'The request that it is about.' }),
  revision: wholeNumber().meta({
    description: 'Names this state of the draft: the next save, discard or adoption gives it back.',
  }),
  saved_at: dateTime().meta({ description: 'When it was saved.' }),
};

/** What a verifier has written about a request so far (`drafts.get`). */
export const Draft = model('Draft', 'What a verifier has written about a request so far.', {
  ...savedDraftShape,
  written_by: z.string().meta({ description: 'Who wrote it: stf_… for a person, key_… for a key.' }),
  written_by_name: z.string().nullable().meta({ description: "The person's name; null for a key." }),
  content: z.string().meta({ description: 'The text as it was saved.' }),
});
/** {@link Draft} as a type. */
export type Draft = z.infer<typeof Draft>;

/** The drafts about one request that the caller may read (`drafts.get`). */
export const RequestDrafts = model('RequestDrafts', 'The drafts about one request.', {
  own: Draft.nullable().meta({ description: "The caller's own; null when there is none." }),
  other: Draft.nullable().meta({
    description:
      'The latest one of somebody else, for the holder of the lease; null when there is none, or the caller does not hold it.',
  }),
});
/** {@link RequestDrafts} as a type. */
export type RequestDrafts = z.infer<typeof RequestDrafts>;

/** A draft that was saved (`drafts.save`). */
export const SavedDraft = model('SavedDraft', 'A draft that was saved.', savedDraftShape);
/** {@link SavedDraft} as a type. */
export type SavedDraft = z.infer<typeof SavedDraft>;
