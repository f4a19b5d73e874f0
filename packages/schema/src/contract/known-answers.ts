import type { Schemas } from '../create-schemas.ts';
import {
  AccuracyQuery,
  AccuracyReport,
  type KnownAnswer,
  SeededRequest,
  SeededRequestList,
} from '../output/known-answer.ts';
import { ListPage } from '../page.ts';
import { EXAMPLE_IDS } from './examples/ids.ts';
import { exampleRequest } from './examples/request.ts';
import { operation } from './operation.ts';

const exampleAnswer: KnownAnswer = {
  eligibility_status: 'Active',
  plan_name: 'PPO Gold',
  start_date: '2026-01-01',
  end_date: null,
  codes: [
    { code: 'D0120', is_covered: true },
    { code: 'D1110', is_covered: false },
  ],
};

const exampleSeeded = (schemas: Schemas): SeededRequest => ({
  request_id: EXAMPLE_IDS.request,
  payer: exampleRequest(schemas).payer_info.name,
  patient_initials: 'J. D.',
  state: 'pending',
  answer: exampleAnswer,
  seeded_at: '2026-11-20T09:30:00.000Z',
  seeded_by: EXAMPLE_IDS.staff,
  seeded_by_name: 'Alex Kim',
});

/** The operations of `knownAnswers`. */
export const knownAnswersOperations = (schemas: Schemas) => ({
  // A second call seeds a second request.
  create: operation('knownAnswers.create', {
    post: '/known-answers',
    scopes: ['operate'],
    audience: ['operator'],
    repeatable: false,
    takesAskedWhen: true,
    tag: 'Reports',
    summary: 'Seed a request whose answer is known',
    description:
      'Creates a request that verifiers, agents and the X12 channel work on like any other, and keeps its right answer for `knownAnswers.report`. Send `Service-Date` and `Needed-By` as your clinics do: verifiers see them. It is of the account `Known answers`: its result is not delivered, it writes no event, and no other account has it in its lists, counts or limits.',
    changes: ['work'],
    input: schemas.SeedKnownAnswer,
    output: SeededRequest,
    example: { request: exampleRequest(schemas), answer: exampleAnswer },
    answers: { seeded: exampleSeeded(schemas) },
  }),

  list: operation('knownAnswers.list', {
    get: '/known-answers',
    scopes: ['operate'],
    audience: ['operator'],
    tag: 'Reports',
    summary: 'List seeded requests, newest first',
    description:
      'Returns a page of the requests whose answer is known, each with that answer. Pass `next_cursor` to get the next page; it is null on the last.',
    limit: 'reads',
    input: ListPage,
    output: SeededRequestList,
    example: { limit: 20, cursor: EXAMPLE_IDS.request },
    answers: { page: { items: [exampleSeeded(schemas)], next_cursor: null } },
  }),

  report: operation('knownAnswers.report', {
    get: '/known-answers/report',
    scopes: ['operate'],
    audience: ['operator'],
    tag: 'Reports',
    summary: 'Report how right answers are',
    description:
      'Compares the answers to seeded requests with the right ones, field by field, and reports by verifier, channel and field how many are right and wrong, with an interval. Of several coverages it takes the one that agrees most. A verifier’s correction within ten minutes counts in the place of what it corrects. A request that could not be verified is unanswered, not wrong. An output that was held counts as what its verifier submitted, for the 30 days that it is kept.',
    limit: 'reads',
    input: AccuracyQuery,
    output: AccuracyReport,
    example: { from: '2026-11-01T00:00:00Z', until: '2026-12-01T00:00:00Z' },
    answers: {
      one_field: {
        from: '2026-11-01T00:00:00.000Z',
        until: '2026-12-01T00:00:00.000Z',
        items: [
          {
            verifier_id: EXAMPLE_IDS.key,
            verifier_name: 'Portal agent',
            channel: 'agent_web_portal',
            field: 'plan_name',
            code: null,
            answered_count: 40,
            right_count: 38,
            wrong_count: 2,
            unanswered_count: 3,
            right_share_low: 0.835,
            right_share_high: 0.986,
            wrong_request_ids: [EXAMPLE_IDS.request],
          },
        ],
      },
    },
  }),
});
