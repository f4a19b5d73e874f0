import type { Schemas } from '../create-schemas.ts';
import { OutputReceipt } from '../output/response-model.ts';
import { EXAMPLE_IDS } from './examples/ids.ts';
import { exampleOutput } from './examples/output.ts';
import { operation } from './operation.ts';

/** The operations of `verificationOutput`. */
export const verificationOutputOperations = (schemas: Schemas) => ({
  // The same output again changes nothing, and is held once.
  submit: operation('verificationOutput.submit', {
    post: '/verification-output',
    scopes: [],
    audience: ['provider', 'verifier', 'operator'],
    repeatable: true,
    tag: 'Output',
    summary: 'Submit a verification output',
    description:
      'Submits the result of a verification. Every valid body returns 200. A result that is certainly right is applied and delivered; any other is held for an operator and not delivered. Only a key with scope `verify` gets the outcome.',
    anonymous: { unlessScope: 'verify', limit: 'anonymous-output' },
    problems: ['held_capacity_exceeded'],
    changes: ['request', 'work', 'held'],
    input: schemas.ResponseModel,
    output: OutputReceipt,
    example: exampleOutput(schemas),
    answers: {
      without_key: { status: 'received' },
      applied: { status: 'applied', version: 1 },
      held: { status: 'held', reason: 'input_mismatch', held_id: EXAMPLE_IDS.held },
    },
  }),
});
