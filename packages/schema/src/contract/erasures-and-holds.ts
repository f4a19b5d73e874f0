import * as z from 'zod';
import { ListPage } from '../page.ts';
import { ConfirmErasure, Erasure, ErasureList } from '../retention/erasure.ts';
import { LegalHold, LegalHoldList, PlaceHold } from '../retention/legal-hold.ts';
import { EXAMPLE_IDS } from './examples/ids.ts';
import { exampleAsked, exampleErasure, exampleHold } from './examples/retention.ts';
import { operation } from './operation.ts';

/** The operations of `erasures`. */
export const erasuresOperations = () => ({
  list: operation('erasures.list', {
    get: '/erasures',
    scopes: ['privacy'],
    audience: ['operator'],
    tag: 'Privacy',
    summary: 'List erasures, newest first',
    description:
      'Returns a page of the erasures that wait for confirmation and those that are done, with their certificates. Pass `next_cursor` to get the next page; it is null on the last.',
    limit: 'reads',
    input: ListPage,
    output: ErasureList,
    example: { limit: 20, cursor: EXAMPLE_IDS.erasure },
    answers: {
      page: {
        items: [
          { ...exampleAsked, may_confirm: true },
          { ...exampleErasure, may_confirm: false },
        ],
        next_cursor: null,
      },
    },
  }),

  // A key may ask for an erasure; a person confirms it. Confirmed again it changes nothing.
  confirm: operation('erasures.confirm', {
    post: '/erasures/{erasure_id}/confirm',
    scopes: ['privacy'],
    audience: [],
    repeatable: true,
    asksFreshSignIn: true,
    forPeople: true,
    tag: 'Privacy',
    summary: 'Confirm an erasure',
    description:
      'Erases the request at once and returns the certificate, which is in the audit too: what was erased, who requested and who confirmed it, and which copies remain. A different person must confirm it, with the last four characters of the member id. On an installation with a single active person, that person may confirm, and the certificate records it. Confirming it again returns the same answer. After five wrong endings the erasure must be requested again.',
    problems: ['not_found', 'legal_hold', 'another_person_required', 'request_erased'],
    changes: ['request', 'work', 'held', 'delivery'],
    params: z.object({ erasure_id: z.string().meta({ description: 'The id of the erasure.' }) }),
    input: ConfirmErasure,
    output: Erasure,
    example: { member_id_ending: '7890' },
    answers: { erased: exampleErasure },
  }),
});

/** The operations of `holds`. */
export const holdsOperations = () => ({
  list: operation('holds.list', {
    get: '/holds',
    scopes: ['privacy'],
    audience: ['operator'],
    tag: 'Privacy',
    summary: 'List legal holds, newest first',
    description:
      'Returns a page of legal holds, ended ones included, with what each covers, the reason, who placed it and when. Pass `next_cursor` to get the next page; it is null on the last.',
    limit: 'reads',
    input: ListPage,
    output: LegalHoldList,
    example: { limit: 20, cursor: EXAMPLE_IDS.hold },
    answers: { page: { items: [exampleHold], next_cursor: null } },
  }),

  // A second call places a second hold.
  place: operation('holds.place', {
    post: '/holds',
    scopes: ['privacy'],
    audience: ['operator'],
    repeatable: false,
    tag: 'Privacy',
    summary: 'Place a legal hold',
    description:
      'Keeps everything of one request, or of all requests of an account, until the hold ends. Neither the end of a retention nor a requested erasure deletes it (409 `legal_hold`, with the hold’s id), and its evidence does not expire.',
    problems: ['not_found', 'request_erased'],
    changes: ['request'],
    input: PlaceHold,
    output: LegalHold,
    example: { account_id: EXAMPLE_IDS.account, reason: 'Doe v. Main Street Dental, asked by counsel' },
    answers: { placed: exampleHold },
  }),

  end: operation('holds.end', {
    post: '/holds/{hold_id}/end',
    scopes: ['privacy'],
    audience: ['operator'],
    repeatable: true,
    asksFreshSignIn: true,
    tag: 'Privacy',
    summary: 'End a legal hold',
    description:
      'Ends a hold. Data that it kept is erased again by the usual rules if no other hold covers it; what is past its retention goes within a day. Ending it again changes nothing.',
    problems: ['not_found'],
    changes: ['request'],
    params: z.object({ hold_id: z.string().meta({ description: 'The id of the hold.' }) }),
    output: LegalHold,
    answers: {
      ended: { ...exampleHold, ended_by: EXAMPLE_IDS.staff, ended_at: '2027-03-01T09:00:00.000Z' },
    },
  }),
});
