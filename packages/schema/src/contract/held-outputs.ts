import * as z from 'zod';
import { ofModeField } from '../access/account.ts';
import type { Schemas } from '../create-schemas.ts';
import { dateTime } from '../field/date.ts';
import { wholeNumber } from '../field/text-and-number.ts';
import { model } from '../model.ts';
import { CompareHeldOutput } from '../output/held-comparison.ts';
import { HeldOutputList, HeldReason } from '../output/held-output.ts';
import { OutputReceipt } from '../output/response-model.ts';
import { cursorField, limitField, orderField } from '../page.ts';
import { EXAMPLE_IDS } from './examples/ids.ts';
import { exampleOutput } from './examples/output.ts';
import { exampleRequestModel } from './examples/request.ts';
import { operation } from './operation.ts';

/** The body that applies a held output (`heldOutputs.apply`). */
export const ApplyHeldOutput = model('ApplyHeldOutput', 'Applies a held output.', {
  request_id: z
    .string()
    .optional()
    .meta({ description: 'The request to apply it to; absent: the one it names itself.' }),
});
export type ApplyHeldOutput = z.infer<typeof ApplyHeldOutput>;

/** The body that dismisses a held output (`heldOutputs.dismiss`). */
export const DismissHeldOutput = model('DismissHeldOutput', 'Dismisses a held output.', {
  note: z.string().optional().meta({ description: 'Why, for the next operator; free text.' }),
});
export type DismissHeldOutput = z.infer<typeof DismissHeldOutput>;

/** The held output is dismissed. */
export const DismissReceipt = model('DismissReceipt', 'The held output is dismissed.', {
  status: z.literal('dismissed').meta({ description: 'It waits no longer.' }),
});
export type DismissReceipt = z.infer<typeof DismissReceipt>;

/** The body that dismisses many held outputs (`heldOutputs.dismissMany`). */
export const DismissHeldOutputs = model(
  'DismissHeldOutputs',
  'Dismisses the held outputs of a reason, without applying any.',
  {
    reason: HeldReason.meta({ description: 'Only outputs that are held for this reason.' }),
    received_before: dateTime()
      .optional()
      .meta({ description: 'Only what was received before this time; absent: before this call.' }),
    request_id: z
      .string()
      .optional()
      .meta({ description: 'Only outputs that name this request of ours; absent: whatever they name.' }),
    limit: z
      .int()
      .min(1)
      .max(10_000)
      .default(1_000)
      .meta({ description: 'How many at most, 1 to 10,000; the oldest go first.' }),
    note: z
      .string()
      .optional()
      .meta({ description: 'Why, for the next operator; free text, kept with each.' }),
  },
);
/** {@link DismissHeldOutputs} as a type, after the default is filled in. */
export type DismissHeldOutputs = z.infer<typeof DismissHeldOutputs>;

/** The number of held outputs that a call dismissed. */
export const DismissedHeldOutputs = model('DismissedHeldOutputs', 'How many held outputs were dismissed.', {
  dismissed: wholeNumber().meta({ description: 'How many this call dismissed.' }),
  more: z.boolean().meta({ description: 'True: the limit left some, so call again.' }),
});
export type DismissedHeldOutputs = z.infer<typeof DismissedHeldOutputs>;

/** How many outputs wait for an operator (`heldOutputs.stats`). */
export const HeldStats = model('HeldStats', 'How many outputs wait for an operator.', {
  open_count: wholeNumber().meta({ description: 'Outputs that wait, 10,000 at most.' }),
  oldest_received_at: dateTime()
    .nullable()
    .meta({ description: 'When the one that waits longest was first received; null when none waits.' }),
});
export type HeldStats = z.infer<typeof HeldStats>;

/** Which held outputs to list (`heldOutputs.list`). */
export const ListHeldOutputs = model('ListHeldOutputs', 'Which held outputs to list.', {
  limit: limitField(),
  cursor: cursorField(),
  order: orderField(),
  reason: HeldReason.optional().meta({
    description: 'Only outputs that are held for this reason; absent lists all.',
  }),
  account_mode: ofModeField(),
  since: dateTime().optional().meta({ description: 'Only those received at this time or later.' }),
  until: dateTime().optional().meta({ description: 'Only those received before this time.' }),
});
/** {@link ListHeldOutputs} as a type, after the default is filled in. */
export type ListHeldOutputs = z.infer<typeof ListHeldOutputs>;

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
      'Returns a page of the outputs that wait for an operator: from an untrusted sender, about an unknown request, about a different patient, or a second result that differs. They are kept for 30 days.',
    limit: 'reads',
    input: ListHeldOutputs,
    output: HeldOutputList,
    example: {
      limit: 20,
      cursor: EXAMPLE_IDS.held,
      account_mode: 'live',
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
            account_mode: 'live',
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
    summary: 'Count held outputs',
    description:
      'Counts the outputs that wait for an operator, up to 10,000, and returns when the oldest was received.',
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
      'Returns a held output as it was received, with the reason, so that an operator can apply or dismiss it.',
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
    summary: 'Compare a held output with its request',
    description:
      'Compares a held output with the request that it names, or that the query names, and with its current result: the rules that it fails, how each value differs, and who gets a webhook if it is applied. A settled output is compared with the result that the request had when it was settled.',
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
      'Makes the held output the result of its request, or of the request in the body. If the request has a result, it becomes the next version, delivered as a new message.',
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
      'Dismisses the outputs held for one reason, oldest first, for example after a flood of unwanted outputs. Repeat the call while it returns `more`.',
    changes: ['held'],
    input: DismissHeldOutputs,
    output: DismissedHeldOutputs,
    example: { reason: 'untrusted', received_before: '2026-11-20T00:00:00Z', limit: 1_000 },
    answers: { some_left: { dismissed: 1_000, more: true } },
  }),
});
