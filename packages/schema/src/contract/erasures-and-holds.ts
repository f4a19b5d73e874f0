import * as z from 'zod';
import { ListPage } from '../page/list-page.ts';
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
      'Pages through the erasures that were asked for and can be confirmed, and those that are done, with their certificates. Ask for the next page with the `next_cursor` of the one before; null on the last page.',
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
      'Erases the request that was asked for, at once, and answers the certificate, which is in the audit as well: what was erased, who asked and who confirmed, and which copies are still there. A person confirms, another one than who asked, with the last four characters of the member id; where one person alone is active on the installation that one may, and the certificate says so. Confirmed again it answers the same. After five wrong endings it has to be asked for again.',
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
      'Pages through the legal holds, also those that were ended: what each covers, why, who placed it and since when. Ask for the next page with the `next_cursor` of the one before; null on the last page.',
    limit: 'reads',
    input: ListPage,
    output: LegalHoldList,
    example: { limit: 20, cursor: EXAMPLE_IDS.hold },
    answers: { page: { items: [exampleHold], next_cursor: null } },
  }),

  // A second hold stands beside the first.
  place: operation('holds.place', {
    post: '/holds',
    scopes: ['privacy'],
    audience: ['operator'],
    repeatable: false,
    tag: 'Privacy',
    summary: 'Place a legal hold',
    description:
      'From then on nothing of the request, or of any request of the account, is erased: not at the end of its retention, not because somebody asks for it (409 `legal_hold`, which names the hold), and what supports it not when it is old. It is in force until it is ended.',
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
      'From then on what it kept is erased as before, where no other hold is in force: what is past its retention within a day. A hold that was ended stays so.',
    problems: ['not_found'],
    changes: ['request'],
    params: z.object({ hold_id: z.string().meta({ description: 'The id of the hold.' }) }),
    output: LegalHold,
    answers: {
      ended: { ...exampleHold, ended_by: EXAMPLE_IDS.staff, ended_at: '2027-03-01T09:00:00.000Z' },
    },
  }),
});
