import { StaffRole } from '@insurance-verification/schema';
import { type Command, Option } from 'commander';
import { withExample } from '../example.ts';
import { nameMissing } from '../failure/name-missing.ts';
import { connect } from '../service/connect.ts';
import { memberFields } from './member-fields.ts';

/** `iv staff set-roles` */
export function addSetStaffRoles(staff: Command): void {
  withExample(staff.command('set-roles'), 'iv staff set-roles stf_… --role verifier operator')
    .description('give a person these roles instead, from their next call on')
    .argument('<staff_id>', 'whose; `iv staff list` shows them')
    .addOption(
      new Option('--role <role...>', 'all that they do from now on')
        .choices(StaffRole.options)
        .makeOptionMandatory(),
    )
    .action(async (staffId: string, { role }: { readonly role: StaffRole[] }, command: Command) => {
      const { client, terminal } = await connect(command);
      const setting = client.staff.setRoles({ staff_id: staffId, roles: role });
      const member = await nameMissing(`person ${staffId}`, 'iv staff list', setting);
      terminal.answer(member, memberFields(member));
    });
}
