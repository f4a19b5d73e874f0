import { CompareHeldOutput, type Schemas } from '@insurance-verification/schema';
import { compareHeldOutput as compareStoredHeldOutput } from '@insurance-verification/store';
import * as z from 'zod';
import { EXAMPLE_IDS } from '../examples/ids.ts';
import { exampleOutput } from '../examples/output.ts';
import { exampleRequestModel } from '../examples/request.ts';
import { ValidationFailedError } from '../procedure/problem/problem.ts';
import { refuse } from '../procedure/problem/refuse.ts';
import { query } from '../procedure/trpc.ts';
import { HeldOutputRef } from './held-output-ref.ts';
import { withBenefits } from './with-benefits.ts';

/** A held output beside what was asked and what stands, for an operator to decide. */
export const compareHeldOutput = (schemas: Schemas) =>
  query({
    meta: {
      operation: 'heldOutputs.compare',
      openapi: {
        summary: 'Compare a held output with what was asked',
        description:
          'Shows a held output next to the request that it names, or that the query names, and its current result: which tests of the rules it does not pass, value by value what differs and how, and who gets a webhook when it is applied. A settled output is compared with the result that the request had when it was settled.',
        tags: ['Output'],
      },
      limit: 'reads',
      problems: ['not_found', 'request_erased'],
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
    },
    input: z.object({ ...HeldOutputRef.shape, ...CompareHeldOutput.shape }),
    output: schemas.HeldComparison,
    handler: async ({ ctx: { app, call, caller }, input: { held_id: heldId, request_id: requestId } }) => {
      const { payers } = app.config;
      const compared = await compareStoredHeldOutput(app.store, {
        caller,
        heldId,
        requestId,
        payerIdOf: (name) => payers.all.find((payer) => payer.name === name)?.id ?? '',
      });
      if (compared.kind === 'unknown_request')
        throw new ValidationFailedError([
          {
            loc: ['query', 'request_id'],
            msg: 'There is no request with this id',
            type: 'request_not_found',
          },
        ]);
      if (compared.kind !== 'compared') return refuse({ kind: compared.kind });
      const { comparison, benefits } = compared;
      if (comparison.request?.request_id) call.concerns(comparison.request.request_id);
      return { ...comparison, held: withBenefits({ held: comparison.held, benefits }) };
    },
  });
