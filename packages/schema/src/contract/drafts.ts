import * as z from 'zod';
import type { Schemas } from '../create-schemas.ts';
import { dateTime } from '../field/date.ts';
import { wholeNumber } from '../field/text-and-number.ts';
import { RequestRef } from '../intake/request-view.ts';
import { model } from '../model.ts';
import { ListPage } from '../page.ts';
import { initialsOf } from '../patient/person-name.ts';
import { leaseToken } from '../verification/work.ts';
import { EXAMPLE_IDS } from './examples/ids.ts';
import { exampleRequest } from './examples/request.ts';
import { operation } from './operation.ts';

/** The revision of a draft, as it was answered. */
const revision = () => z.int().min(1);

/** The revision that a change is based on, so that a second writer does not overwrite the first one's change. */
function revisionField() {
  return revision().nullable().meta({
    description: "The revision of the caller's draft that this replaces; null without one.",
  });
}

/** Saves a draft: the input of `drafts.save` without the request's id. */
export const SaveDraft = model('SaveDraft', 'Saves what is written so far.', {
  content: z
    .string()
    .max(131_072)
    .meta({ description: 'Any text, 131,072 characters at most; the console saves its form as JSON.' }),
  revision: revisionField(),
});
export type SaveDraft = z.infer<typeof SaveDraft>;

/** Takes over another person's draft: the input of `drafts.adopt` without the request's id. */
export const AdoptDraft = model('AdoptDraft', "Takes over somebody else's draft.", {
  lease_token: leaseToken(),
  revision: revisionField(),
});
export type AdoptDraft = z.infer<typeof AdoptDraft>;

/** Discards a draft: the input of `drafts.discard` without the request's id. */
export const DiscardDraft = model('DiscardDraft', "Discards the caller's draft.", {
  revision: revision().meta({ description: 'The revision that is discarded.' }),
});
export type DiscardDraft = z.infer<typeof DiscardDraft>;

/** A draft that was discarded (`drafts.discard`). */
export const DiscardedDraft = model('DiscardedDraft', 'A draft that was discarded.', {
  ...RequestRef.shape,
  status: z.literal('discarded').meta({ description: 'It is gone.' }),
});
export type DiscardedDraft = z.infer<typeof DiscardedDraft>;

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
export type Draft = z.infer<typeof Draft>;

/** The drafts about one request that the caller may read (`drafts.get`). */
export const RequestDrafts = model('RequestDrafts', 'The drafts about one request.', {
  own: Draft.nullable().meta({ description: "The caller's own; null without one." }),
  other: Draft.nullable().meta({
    description:
      'The latest one of somebody else, for the holder of the lease; null when there is none, or the caller does not hold it.',
  }),
});
export type RequestDrafts = z.infer<typeof RequestDrafts>;

/** A draft that was saved (`drafts.save`). */
export const SavedDraft = model('SavedDraft', 'A draft that was saved.', savedDraftShape);
export type SavedDraft = z.infer<typeof SavedDraft>;

/** A draft as its answers show it. */
const exampleDraft: Draft = {
  request_id: EXAMPLE_IDS.request,
  revision: 4117,
  saved_at: '2026-11-20T10:04:30.000Z',
  written_by: EXAMPLE_IDS.staff,
  written_by_name: 'Ada Jones',
  content: '{"plan":"Dental PPO","start":"1/1/26"}',
};

/** The operations of `drafts`. */
export const draftsOperations = (schemas: Schemas) => ({
  // Each concerns the caller's own drafts, about what it leases or worked on within a day.
  list: operation('drafts.list', {
    get: '/drafts',
    scopes: ['verify'],
    audience: ['verifier'],
    tag: 'Work',
    summary: "List the caller's drafts",
    description:
      'Lists the requests for which the caller has a draft, newest request first. Read each draft with `drafts.get`.',
    limit: 'reads',
    input: ListPage,
    output: schemas.DraftList,
    example: { limit: 20, cursor: EXAMPLE_IDS.request },
    answers: {
      one: {
        items: [
          {
            request_id: exampleDraft.request_id,
            payer: exampleRequest(schemas).payer_info.name,
            patient_initials: initialsOf(exampleRequest(schemas).patient_info.name),
            saved_at: exampleDraft.saved_at,
            expires_at: '2026-11-27T10:04:30.000Z',
            is_leased: false,
          },
        ],
        next_cursor: null,
      },
    },
  }),

  get: operation('drafts.get', {
    get: '/work/{request_id}/draft',
    scopes: ['verify'],
    audience: ['verifier'],
    tag: 'Work',
    summary: 'Read the drafts of a request',
    description:
      'Returns the caller’s own draft for a request that it leases, or worked on within a day. The holder of the lease also gets the latest draft of another person, and may adopt it.',
    ownWork: true,
    limit: 'reads',
    problems: ['not_found', 'request_erased'],
    params: RequestRef,
    output: RequestDrafts,
    answers: { own: { own: exampleDraft, other: null }, none: { own: null, other: null } },
  }),

  // A repeated save of the same content changes nothing.
  save: operation('drafts.save', {
    post: '/work/{request_id}/draft',
    scopes: ['verify'],
    audience: ['verifier'],
    repeatable: true,
    tag: 'Work',
    summary: 'Save a draft',
    description:
      'Saves the caller’s draft for a request that it leases, or worked on within a day, even if the lease has expired since. If two saves start from one revision, the second returns `draft_changed` and nothing is lost. A draft is deleted when the request has a result, and seven days after its last save.',
    ownWork: true,
    problems: ['not_found', 'request_finished', 'draft_changed', 'request_erased'],
    changes: [],
    params: RequestRef,
    input: SaveDraft,
    output: SavedDraft,
    example: { content: exampleDraft.content, revision: null },
    answers: {
      saved: {
        request_id: exampleDraft.request_id,
        revision: exampleDraft.revision,
        saved_at: exampleDraft.saved_at,
      },
    },
  }),

  discard: operation('drafts.discard', {
    post: '/work/{request_id}/draft/discard',
    scopes: ['verify'],
    audience: ['verifier'],
    repeatable: true,
    tag: 'Work',
    summary: 'Discard a draft',
    description:
      'Deletes the caller’s draft for a request, unless it was saved again since you read it (`draft_changed`). Deleting a draft that is gone returns the same answer.',
    ownWork: true,
    problems: ['not_found', 'draft_changed'],
    changes: [],
    params: RequestRef,
    input: DiscardDraft,
    output: DiscardedDraft,
    example: { revision: exampleDraft.revision },
    answers: { discarded: { request_id: exampleDraft.request_id, status: 'discarded' } },
  }),

  // A second adoption finds nothing left to adopt.
  adopt: operation('drafts.adopt', {
    post: '/work/{request_id}/draft/adopt',
    scopes: ['verify'],
    audience: ['verifier'],
    repeatable: false,
    tag: 'Work',
    summary: "Adopt another person's draft",
    description:
      'Replaces the caller’s draft with the latest draft of another person. The caller must hold the request’s lease. Returns 404 if there is no such draft.',
    problems: ['not_found', 'lease_lost', 'draft_changed', 'request_erased'],
    changes: [],
    params: RequestRef,
    input: AdoptDraft,
    output: Draft,
    example: { lease_token: EXAMPLE_IDS.leaseToken, revision: null },
    answers: { adopted: exampleDraft },
  }),
});
