import { StaffRole } from '@insurance-verification/schema';
import { type Command, Option } from 'commander';
import { withExample } from '../example.ts';
import { connect } from '../service/connect.ts';
import { fields } from '../terminal/table.ts';
import { linkFields, NO_CONSOLE, SHOWN_ONCE } from './link-fields.ts';

interface Options {
  readonly name: string;
  readonly role: StaffRole[];
  readonly account?: string;
}

/** `iv staff add`: adds a person, and shows the link for their first sign-in. */
export function addAddStaff(staff: Command): void {
  withExample(staff.command('add'), "iv staff add --name 'Ada Jones' --role verifier")
    .description('add a person who signs in to the console; shows a link for the first time')
    .requiredOption('--name <name>', 'their name')
    .addOption(
      new Option('--role <role...>', 'what they do; in an account viewer and requester only')
        .choices(StaffRole.options)
        .makeOptionMandatory(),
    )
    .option('--account <account_id>', "the account they act for; the platform's when left out")
    .action(async ({ name, role, account }: Options, command: Command) => {
      const { client, terminal, url } = await connect(command);
      const added = await client.staff.add({ name, roles: role, account_id: account ?? null });
      terminal.answer(
        added,
        fields([
          ['staff_id', added.staff_id],
          ['name', added.name],
          ['roles', added.roles.join(' ')],
          ['account_id', added.account_id],
          ...linkFields(url, added.link),
        ]),
      );
      terminal.say(added.link ? SHOWN_ONCE : NO_CONSOLE);
    });
}
