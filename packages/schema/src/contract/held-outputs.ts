import * as z from 'zod';
import type { Schemas } from '../create-schemas.ts';
import { ApplyHeldOutput } from '../output/apply-held-output.ts';
import { DismissHeldOutput, DismissReceipt } from '../output/dismiss-held-output.ts';
import { DismissHeldOutputs, DismissedHeldOutputs } from '../output/dismiss-held-outputs.ts';
import { CompareHeldOutput } from '../output/held-comparison.ts';
import { HeldOutputList } from '../output/held-output.ts';
import { HeldStats } from '../output/held-stats.ts';
import { ListHeldOutputs } from '../output/list-held-outputs.ts';
import { OutputReceipt } from '../output/output-receipt.ts';
import { EXAMPLE_IDS } from './examples/ids.ts';
import { exampleOutput } from './examples/output.ts';
import { exampleRequestModel } from './examples/request.ts';
import { operation } from './operation.ts';

/** Names a held output by its id. */
const HeldOutputRef = z.object({
  held_id: z.string().meta({ description: 'The id of the held output.' }),
});

/** The operations of `heldOutputs`. */
export const heldOutputsOperations = (schemas: Schemas) => ({
  list: operation('heldOutputs.list', {
    get: '/held-outputs',
    scopes: ['operate'],
    audience: ['operator'],
    tag: 'Output',
    summary: 'List held outputs',
    description:
      'Pages through the outputs that wait for an operator: from a sender who is not trusted, about no request that is known, about another patient, or a second and different result. They are kept for 30 days.',
    limit: 'reads',
    input: ListHeldOutputs,
    output: HeldOutputList,
    example: {
      limit: 20,
      cursor: EXAMPLE_IDS.held,
      order: 'newest',
      reason: 'superseding',
      since: '2026-11-20T00:00:00Z',
      until: '2026-11-21T00:00:00Z',
    },
    answers: {
      page: {
        items: [
          {
            held_id: EXAMPLE_IDS.held,
            reason: 'untrusted',
            received_at: '2026-11-20T10:15:00.000Z',
            request_id: EXAMPLE_IDS.request,
            account_name: 'Main Street Dental',
            payer: 'Northwind Health',
            patient_initials: 'J. D.',
            offered_by: 'Night team',
            differs: ['dob', 'subscriber_id'],
            changes: ['eligibility_status', 'end_date'],
          },
        ],
        next_cursor: null,
      },
    },
  }),

  stats: operation('heldOutputs.stats', {
    get: '/held-outputs/stats',
    scopes: ['operate'],
    audience: ['operator'],
    tag: 'Output',
    summary: 'Show how many held outputs wait',
    description:
      'Tells how many outputs wait for an operator, counted up to 10,000, and when the one that waits longest was received.',
    limit: 'reads',
    output: HeldStats,
    answers: { some: { open_count: 12, oldest_received_at: '2026-11-20T10:15:00.000Z' } },
  }),

  get: operation('heldOutputs.get', {
    get: '/held-outputs/{held_id}',
    scopes: ['operate'],
    audience: ['operator'],
    tag: 'Output',
    summary: 'Read a held output',
    description:
      'Shows a held output as it came, and why it was held, so that an operator can apply or dismiss it.',
    limit: 'reads',
    problems: ['not_found'],
    params: HeldOutputRef,
    output: schemas.HeldOutputDetail,
    answers: {
      untrusted: {
        held_id: EXAMPLE_IDS.held,
        reason: 'untrusted',
        received_at: '2026-11-20T10:15:00.000Z',
        request_id: EXAMPLE_IDS.request,
        status: 'held',
        note: null,
        output: exampleOutput(schemas),
      },
    },
  }),

  compare: operation('heldOutputs.compare', {
    get: '/held-outputs/{held_id}/comparison',
    scopes: ['operate'],
    audience: ['operator'],
    tag: 'Output',
    summary: 'Compare a held output with what was asked',
    description:
      'Shows a held output next to the request that it names, or that the query names, and its current result: which tests of the rules it does not pass, value by value what differs and how, and who gets a webhook when it is applied. A settled output is compared with the result that the request had when it was settled.',
    limit: 'reads',
    problems: ['not_found', 'request_erased'],
    params: HeldOutputRef,
    input: CompareHeldOutput,
    output: schemas.HeldComparison,
    example: { request_id: EXAMPLE_IDS.request },
    answers: {
      mismatch: {
        held: {
          held_id: EXAMPLE_IDS.held,
          reason: 'input_mismatch',
          received_at: '2026-11-20T10:15:00.000Z',
          request_id: EXAMPLE_IDS.request,
          status: 'held',
          note: null,
          output: exampleOutput(schemas),
        },
        request: exampleRequestModel(schemas),
        standing: null,
        decision: null,
        sentence: 'Held as a mismatch: the member id differs.',
        failed_tests: [{ test: 'member_id', coverage: null, sentence: 'the member id differs' }],
        values: [
          {
            field: '/request/input/patient_info/subscriber_id',
            name: 'Member id',
            asked: 'W123456798',
            standing: null,
            offered: 'W123456789',
            asked_difference: 'swapped',
            asked_places: [9, 10],
            standing_difference: 'none',
            standing_places: [],
          },
        ],
        receiver: {
          account_id: EXAMPLE_IDS.account,
          account_name: 'Main Street Dental',
          host: 'clinic.example',
        },
      },
    },
  }),

  // A second call answers 409: the output is settled.
  apply: operation('heldOutputs.apply', {
    post: '/held-outputs/{held_id}/apply',
    scopes: ['operate'],
    audience: ['operator'],
    repeatable: false,
    asksFreshSignIn: true,
    tag: 'Output',
    summary: 'Apply a held output',
    description:
      'Makes the result of a held output the result of its request, or of the request that the body names. On a request that has a result already it is the correction: the next version, delivered as a new message.',
    problems: ['not_found', 'held_output_settled', 'held_output_not_applicable', 'request_erased'],
    changes: ['held', 'request'],
    params: HeldOutputRef,
    input: ApplyHeldOutput,
    output: OutputReceipt,
    example: { request_id: EXAMPLE_IDS.request },
    answers: { applied: { status: 'applied', version: 2 } },
  }),

  dismiss: operation('heldOutputs.dismiss', {
    post: '/held-outputs/{held_id}/dismiss',
    scopes: ['operate'],
    audience: ['operator'],
    repeatable: false,
    tag: 'Output',
    summary: 'Dismiss a held output',
    description: 'Settles a held output without applying it. Nothing is delivered.',
    problems: ['not_found', 'held_output_settled'],
    changes: ['held'],
    params: HeldOutputRef,
    input: DismissHeldOutput,
    output: DismissReceipt,
    example: { note: 'A test of the portal robot.' },
    answers: { dismissed: { status: 'dismissed' } },
  }),

  // A second call dismisses what the first one left, and newer arrivals.
  dismissMany: operation('heldOutputs.dismissMany', {
    post: '/held-outputs/dismiss',
    scopes: ['operate'],
    audience: ['operator'],
    repeatable: false,
    tag: 'Output',
    summary: 'Dismiss many held outputs',
    description:
      'Dismisses what is held for one reason, the oldest first, as after a flood of unwanted outputs. Call again while `more` is true.',
    changes: ['held'],
    input: DismissHeldOutputs,
    output: DismissedHeldOutputs,
    example: { reason: 'untrusted', received_before: '2026-11-20T00:00:00Z', limit: 1_000 },
    answers: { some_left: { dismissed: 1_000, more: true } },
  }),
});
