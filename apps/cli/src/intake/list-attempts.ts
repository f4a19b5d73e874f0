import type { VerificationAttempt } from '@insurance-verification/schema';
import type { Command } from 'commander';
import { withExample } from '../example.ts';
import { nameMissing } from '../failure/name-missing.ts';
import { connect } from '../service/connect.ts';
import { type Cell, table } from '../terminal/table.ts';

/** `iv requests attempts` */
export function addListAttempts(requests: Command): void {
  withExample(requests.command('attempts'), 'iv requests attempts req_…')
    .description('list every attempt to find out with the payer, and who must act on what failed')
    .argument('<request_id>', 'the id the service issued')
    .action(async (requestId: string, _options: object, command: Command) => {
      const { client, terminal } = await connect(command);
      const call = client.requests.attempts({ request_id: requestId });
      const answer = await nameMissing(`request ${requestId}`, 'iv requests list', call);
      const headings = [
        'ATTEMPT',
        'CHANNEL',
        'OUTCOME',
        'ERROR_REASON',
        'FIXED_BY',
        'STARTED',
        'ENDED',
        'REFERENCE',
        'NOTE',
      ];
      terminal.answer(answer, table(headings, answer.items.map(cells)));
      if (!terminal.json && answer.items.length === 0)
        terminal.say('No attempts: no verifier has taken the request yet.');
    });
}

/** A note may be a page long; `--json` shows all of it. */
const NOTE_CHARACTERS_MAX = 60;

function cells(attempt: VerificationAttempt): Cell[] {
  const { number, channel, started_at, ended_at, outcome, error_reason, fixed_by, reference, note } = attempt;
  return [
    number,
    channel,
    outcome,
    error_reason,
    fixed_by,
    started_at,
    ended_at,
    reference,
    note?.trim().slice(0, NOTE_CHARACTERS_MAX),
  ];
}
