import type { HeldOutputDetail } from '@insurance-verification/schema';
import type { Command } from 'commander';
import { withExample } from '../example.ts';
import { nameMissing } from '../failure/name-missing.ts';
import { connect } from '../service/connect.ts';
import { type Block, fields } from '../terminal/table.ts';
import { planLines } from './plan-lines.ts';

/** `iv held show` */
export function addShowHeld(held: Command): void {
  withExample(held.command('show'), 'iv held show held_…')
    .description('show one held output and what it says')
    .argument('<held_id>', 'its id')
    .action(async (heldId: string, _options: object, command: Command) => {
      const { client, terminal } = await connect(command);
      const call = client.heldOutputs.get({ held_id: heldId });
      const detail = await nameMissing(`held output ${heldId}`, 'iv held list', call);
      terminal.answer(detail, lines(detail));
    });
}

function lines({ output, ...held }: HeldOutputDetail): Block[] {
  const { request, insurance_data: plans } = output;
  const { patient_info: patient, payer_info: payer, provider_info: provider } = request.input;
  return [
    ...fields([
      ['held_id', held.held_id],
      ['status', held.status],
      ['reason', held.reason],
      ['received', held.received_at],
      ['request_id', held.request_id],
      ['note', held.note],
      ['says request_id', request.request_id],
      ['says state', request.state],
      ['says error_reason', request.error_reason],
      ['says payer', payer.name],
      ['says subscriber_id', patient.subscriber_id],
      ['says dob', patient.dob],
      ['says patient', patient.name],
      ['says npi', provider.npi],
    ]),
    ...planLines(plans),
  ];
}
