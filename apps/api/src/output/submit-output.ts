import type { InsurancePlanData, OutputReceipt } from '@insurance-verification/schema';
import { type AcceptedOutput, acceptOutput, type LiveKey } from '@insurance-verification/store';
import type { Handler } from '../procedure/procedure.ts';
import { refuse } from '../procedure/refuse.ts';

/**
 * Accepts an output: applied, unchanged, kept as progress, or held; 200 in every case. Only a verifier's key learns
 * which.
 */
export const submitOutput: Handler<'verificationOutput.submit'> = async ({ ctx, input: output }) => {
  const { config } = ctx.app;
  const payerId = config.payers.idOf(output.request.input.payer_info.name);
  const caller = mayVerify(ctx.caller, output, payerId) ? { ...ctx.caller, acrossAccounts: true } : null;
  const trusted = caller !== null || (config.outputTrust === 'open' && !ctx.call.isOfForeignPage(config));
  const submitted = {
    output,
    payerId,
    caller,
    bearer: caller ? null : ctx.caller,
    client: caller ? null : ctx.call.client,
    trusted,
    holdsAgentResults: ctx.app.config.payers.byId(payerId)?.route.holdsAgentResults === true,
  };
  const accepted = await acceptOutput(ctx.app.store, submitted, ctx.app.localWorker);
  if (accepted.kind === 'at_capacity') return refuse(accepted);
  ctx.app.metrics.outputsAccepted.inc({
    disposition: accepted.kind === 'held' ? accepted.reason : accepted.kind,
  });
  if (accepted.kind === 'held') ctx.app.metrics.heldOutputsDisplaced.inc(accepted.displacedCount);
  // Don't log foreign ids: only an id that names one of our requests was issued here.
  if (accepted.kind === 'applied' || accepted.kind === 'unchanged')
    ctx.call.concerns(output.request.request_id ?? '');
  return caller ? receiptOf(accepted) : { status: 'received' as const };
};

/** Whether the caller is a verifier, and kept to nothing that the output is beyond; of the account the store knows. */
function mayVerify(
  caller: LiveKey | null,
  { insurance_data: entries }: { readonly insurance_data: readonly InsurancePlanData[] },
  payerId: string,
): caller is LiveKey {
  if (!caller?.scopes.includes('verify')) return false;
  const { payer_ids: payerIds = null, channels = null } = caller.verifyWithin ?? {};
  return (
    (payerIds === null || payerIds.includes(payerId)) &&
    (channels === null || entries.every(({ verification_source: source }) => channels.includes(source)))
  );
}

function receiptOf(accepted: Exclude<AcceptedOutput, { kind: 'at_capacity' }>): OutputReceipt {
  if (accepted.kind === 'applied') return { status: 'applied', version: accepted.version };
  if (accepted.kind === 'held') return { status: 'held', reason: accepted.reason, held_id: accepted.heldId };
  return { status: accepted.kind };
}
