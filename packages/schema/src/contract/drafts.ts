import * as z from 'zod';
import type { Schemas } from '../create-schemas.ts';
import { dateTime } from '../field/date.ts';
import { wholeNumber } from '../field/text-and-number.ts';
import { RequestRef } from '../intake/request-view.ts';
import { model } from '../model.ts';
import { ListPage } from '../page.ts';
import { initialsOf } from '../patient/person-name.ts';
import { EXAMPLE_IDS } from './examples/ids.ts';
import { exampleRequest } from './examples/request.ts';
import { operation } from './operation.ts';

/** The revision of a draft, as it was answered. */
const revision = () => z.int().min(1);

/** Saves a draft: the input of `drafts.save` except the request's id. */
export const SaveDraft = model('SaveDraft', 'Saves the text written so far.', {
  content: z
    .string()
    .max(131_072)
    .meta({ description: 'Any text, 131,072 characters at most; the console saves its form as JSON.' }),
  revision: revision().nullable().meta({
    description: 'The revision of the draft that this replaces; null without one.',
  }),
});
export type SaveDraft = z.infer<typeof SaveDraft>;

/** Discards a draft: the input of `drafts.discard` except the request's id. */
export const DiscardDraft = model('DiscardDraft', 'Discards the draft of a request.', {
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
    description: 'The revision of this text; the next save or discard names it.',
  }),
  saved_at: dateTime().meta({ description: 'When it was saved.' }),
};

/** The unsubmitted text about a request (`drafts.get`). */
export const Draft = model('Draft', 'The unsubmitted text about a request.', {
  ...savedDraftShape,
  written_by: z.string().meta({ description: 'Who saved it last: stf_… for a person, key_… for a key.' }),
  written_by_name: z.string().nullable().meta({ description: "The person's name; null for a key." }),
  content: z.string().meta({ description: 'The text as it was saved.' }),
});
export type Draft = z.infer<typeof Draft>;

/** The draft of a request, if there is one (`drafts.get`). */
export const RequestDraft = model('RequestDraft', 'The draft of a request, if there is one.', {
  draft: Draft.nullable().meta({
    description: 'Null when there is none, or another verifier holds the lease.',
  }),
});
export type RequestDraft = z.infer<typeof RequestDraft>;

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
  list: operation('drafts.list', {
    get: '/drafts',
    scopes: ['verify'],
    audience: ['verifier'],
    tag: 'Work',
    summary: 'List the drafts that the caller saved last',
    description:
      'Lists the unfinished requests whose draft the caller saved last, newest request first. Read each draft with `drafts.get`.',
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
    summary: 'Read the draft of a request',
    description:
      'Returns the draft of a request that the caller leases, or worked on within a day and no other verifier leases.',
    ownWork: true,
    limit: 'reads',
    problems: ['not_found', 'request_erased'],
    params: RequestRef,
    output: RequestDraft,
    answers: { one: { draft: exampleDraft }, none: { draft: null } },
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
      'Saves the draft of a request that the caller leases, or worked on within a day, even if the lease has expired since. If another verifier leases the request, it returns `lease_lost`. If two saves name one revision, the second returns `draft_changed`. A draft is deleted when the request has a result, and seven days after its last save.',
    ownWork: true,
    problems: ['not_found', 'request_finished', 'lease_lost', 'draft_changed', 'request_erased'],
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
      'Deletes the draft of a request, unless it was saved again since you read it (`draft_changed`) or another verifier leases the request (`lease_lost`). Deleting a draft that is gone returns the same answer.',
    ownWork: true,
    problems: ['not_found', 'lease_lost', 'draft_changed'],
    changes: [],
    params: RequestRef,
    input: DiscardDraft,
    output: DiscardedDraft,
    example: { revision: exampleDraft.revision },
    answers: { discarded: { request_id: exampleDraft.request_id, status: 'discarded' } },
  }),
});
