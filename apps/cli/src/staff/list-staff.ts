import type { StaffMember } from '@insurance-verification/schema';
import type { Command } from 'commander';
import { withExample } from '../example.ts';
import { addPageOptions, answerPage, type PageOptions, readPage } from '../page.ts';
import { connect } from '../service/connect.ts';
import { type Block, table } from '../terminal/table.ts';

/** `iv staff list` */
export function addListStaff(staff: Command): void {
  addPageOptions(withExample(staff.command('list'), 'iv staff list --limit 50'))
    .description('list everyone who signs in to the console, or did, newest first')
    .action(async (options: PageOptions, command: Command) => {
      const { client, terminal } = await connect(command);
      const page = await readPage(client.staff.list, options);
      answerPage(terminal, page, { lines, none: 'Nobody.' });
    });
}

function lines(staff: readonly StaffMember[]): Block[] {
  return table(
    ['STAFF_ID', 'NAME', 'ROLES', 'ENDED', 'ACCOUNT_ID'],
    staff.map((member) => [
      member.staff_id,
      member.name,
      member.roles.join(' '),
      member.ended_at,
      member.account_id,
    ]),
  );
}
