import type { Command } from 'commander';
import { withExample } from '../example.ts';
import { nameMissing } from '../failure/name-missing.ts';
import { connect } from '../service/connect.ts';
import { holdFields } from './hold-fields.ts';

/** `iv holds end` */
export function addEndHold(holds: Command): void {
  withExample(holds.command('end'), 'iv holds end hold_…')
    .description('end a legal hold; what is past its retention is erased within a day')
    .argument('<hold_id>', 'its id; `iv holds list` shows it')
    .action(async (holdId: string, _options: object, command: Command) => {
      const { client, terminal } = await connect(command);
      const ending = client.holds.end({ hold_id: holdId });
      const hold = await nameMissing(`hold ${holdId}`, 'iv holds list', ending);
      terminal.answer(hold, holdFields(hold));
    });
}
