import type { StaffSession } from '@insurance-verification/schema';
import type { Command } from 'commander';
import { withExample } from '../example.ts';
import { addPageOptions, answerPage, type PageOptions, readPage } from '../page.ts';
import { connect } from '../service/connect.ts';
import { type Block, table } from '../terminal/table.ts';

/** `iv sessions list` */
export function addListSessions(sessions: Command): void {
  addPageOptions(withExample(sessions.command('list'), 'iv sessions list'))
    .description('list who is signed in to the console, newest first')
    .action(async (options: PageOptions, command: Command) => {
      const { client, terminal } = await connect(command);
      const page = await readPage(client.sessions.list, options);
      answerPage(terminal, page, { lines, none: 'Nobody is signed in.' });
    });
}

function lines(sessions: readonly StaffSession[]): Block[] {
  return table(
    ['SESSION_ID', 'NAME', 'LAST_USED', 'ENDS', 'STAFF_ID'],
    sessions.map((session) => [
      session.session_id,
      session.name,
      session.last_used_at,
      session.ends_at,
      session.staff_id,
    ]),
  );
}
