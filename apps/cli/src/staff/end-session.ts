import type { Command } from 'commander';
import { withExample } from '../example.ts';
import { nameMissing } from '../failure/name-missing.ts';
import { connect } from '../service/connect.ts';
import { fields } from '../terminal/table.ts';

/** `iv sessions end` */
export function addEndSession(sessions: Command): void {
  withExample(sessions.command('end'), 'iv sessions end ses_…')
    .description('sign a person out, in every process at once')
    .argument('<session_id>', 'which; `iv sessions list` shows them')
    .action(async (sessionId: string, _options: object, command: Command) => {
      const { client, terminal } = await connect(command);
      const ending = client.sessions.end({ session_id: sessionId });
      const ended = await nameMissing(`session ${sessionId}`, 'iv sessions list', ending);
      terminal.answer(
        ended,
        fields([
          ['session_id', ended.session_id],
          ['status', ended.status],
        ]),
      );
    });
}
