import type { Command } from 'commander';
import { withExample } from '../example.ts';
import { nameMissing } from '../failure/name-missing.ts';
import { connect } from '../service/connect.ts';
import { fields } from '../terminal/table.ts';

/** `iv held apply` */
export function addApplyHeld(held: Command): void {
  withExample(held.command('apply'), 'iv held apply held_… --request req_…')
    .description('apply a held output; on a finished request it is a correction, and delivered')
    .argument('<held_id>', 'its id')
    .option('--request <request_id>', 'the request to apply it to; the one it names when left out')
    .action(async (heldId: string, { request }: { request?: string }, command: Command) => {
      const { client, terminal } = await connect(command);
      const call = client.heldOutputs.apply({ held_id: heldId, request_id: request });
      const { status, version } = await nameMissing(`held output ${heldId}`, 'iv held list', call);
      terminal.answer(
        { held_id: heldId, status, version },
        fields([
          ['held_id', heldId],
          ['status', status],
          ['version', version],
        ]),
      );
    });
}
