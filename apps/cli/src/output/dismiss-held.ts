import type { Command } from 'commander';
import { withExample } from '../example.ts';
import { nameMissing } from '../failure/name-missing.ts';
import { connect } from '../service/connect.ts';
import { fields } from '../terminal/table.ts';

/** `iv held dismiss` */
export function addDismissHeld(held: Command): void {
  withExample(held.command('dismiss'), 'iv held dismiss held_… --note "sent twice"')
    .description('end a held output without applying it')
    .argument('<held_id>', 'its id')
    .option('--note <text>', 'why, for the next operator')
    .action(async (heldId: string, { note }: { note?: string }, command: Command) => {
      const { client, terminal } = await connect(command);
      const call = client.heldOutputs.dismiss({ held_id: heldId, note });
      const { status } = await nameMissing(`held output ${heldId}`, 'iv held list', call);
      terminal.answer(
        { held_id: heldId, status },
        fields([
          ['held_id', heldId],
          ['status', status],
        ]),
      );
    });
}
