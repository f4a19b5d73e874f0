import { compareHeldOutput as compareStoredHeldOutput } from '@insurance-verification/store';
import { ValidationFailedError } from '../procedure/problem.ts';
import type { Handler } from '../procedure/procedure.ts';
import { refuse } from '../procedure/refuse.ts';
import { withBenefits } from './with-benefits.ts';

/** A held output next to its request and the current result, for an operator's decision. */
export const compareHeldOutput: Handler<'heldOutputs.compare'> = async ({
  ctx: { app, call, caller },
  input: { held_id: heldId, request_id: requestId },
}) => {
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
};
