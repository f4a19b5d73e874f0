import type { Command } from 'commander';
import { withExample } from '../example.ts';
import { nameMissing } from '../failure/name-missing.ts';
import { connect } from '../service/connect.ts';
import { fields } from '../terminal/table.ts';

/** `iv sessions break-glass` */
export function addBreakGlass(sessions: Command): void {
  withExample(
    sessions.command('break-glass'),
    "iv sessions break-glass ses_… --reason 'The verifiers are out; a patient waits.'",
  )
    .description("give an operator's session emergency access for an hour")
    .argument('<session_id>', 'which; `iv sessions list` shows them')
    .requiredOption('--reason <text>', 'why, in 10 to 500 characters; whoever reads the audit sees it')
    .action(async (sessionId: string, { reason }: { reason: string }, command: Command) => {
      const { client, terminal } = await connect(command);
      const breaking = client.sessions.breakGlass({ session_id: sessionId, reason });
      const access = await nameMissing(`session ${sessionId} of an operator`, 'iv sessions list', breaking);
      terminal.answer(
        access,
        fields([
          ['session_id', access.session_id],
          ['begun_at', access.begun_at],
          ['ends_at', access.ends_at],
        ]),
      );
    });
}
