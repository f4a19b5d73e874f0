import type { Command } from 'commander';
import { withExample } from '../example.ts';
import { nameMissing } from '../failure/name-missing.ts';
import { connect } from '../service/connect.ts';
import { memberFields } from './member-fields.ts';

/** `iv staff end` */
export function addEndStaff(staff: Command): void {
  withExample(staff.command('end'), 'iv staff end stf_…')
    .description('end what a person may do, with every session; again is the same as once')
    .argument('<staff_id>', 'whose; `iv staff list` shows them')
    .action(async (staffId: string, _options: object, command: Command) => {
      const { client, terminal } = await connect(command);
      const ending = client.staff.end({ staff_id: staffId });
      const member = await nameMissing(`person ${staffId}`, 'iv staff list', ending);
      terminal.answer(member, memberFields(member));
    });
}
