import type { ProvenLine } from '@insurance-verification/store';
import type { Command } from 'commander';
import { rightExample, withExample } from '../example.ts';
import { CommandFailedError, WrongUsageError } from '../failure/failure.ts';
import { tellDatabaseFailure } from '../failure/tell-database-failure.ts';
import { requireOwnDatabaseUrl } from '../service/require-own-database-url.ts';
import { openTerminal } from '../terminal/terminal.ts';
import { EXPECTED } from './verify-audit.ts';

const EXAMPLE =
  'DATABASE_URL=postgres://auditor@db.example/verification iv audit prove 48213 > 48213.tlog-proof';

/** `iv audit prove <line_id>` */
export function addProveLine(audit: Command): void {
  withExample(audit.command('prove'), EXAMPLE)
    .description(
      'print the proof that one line was sealed as it is, for whoever has the public key and nothing else (DATABASE_DIRECT_URL, else DATABASE_URL)',
    )
    .argument('<line_id>', 'the audit_id of the line')
    .action(async (id: string, _options: object, command: Command) => {
      const terminal = openTerminal(command);
      if (!/^\d{1,18}$/.test(id))
        throw new WrongUsageError(
          `Expected the audit_id of a line, digits; what came is ${id}.\n${rightExample(EXAMPLE)}`,
        );
      const connectionString = await requireOwnDatabaseUrl(process.env, EXAMPLE);
      // Imported on demand: loading the database packages takes longer than most commands.
      const { proveLine, withAudit } = await import('@insurance-verification/store');
      const proving = withAudit(connectionString, (store) => proveLine(store, { id: BigInt(id) }));
      const proven = await tellDatabaseFailure('Proving the line', EXPECTED, proving);
      if (proven.kind !== 'proven') throw new CommandFailedError(refusalOf(id, proven));
      terminal.answer({ audit_id: id, seal: proven.number, proof: proven.proof }, [proven.proof.trimEnd()]);
    });
}

function refusalOf(id: string, refused: Exclude<ProvenLine, { kind: 'proven' }>): string {
  if (refused.kind === 'not_found') return `There is no line ${id}.`;
  if (refused.kind === 'dropped')
    return `There is no line ${id}: the lines around it were dropped with ${refused.month}, and its archive has it if it was one.`;
  if (refused.kind === 'not_sealed')
    return `Line ${id} is not sealed yet; a running service seals it within seconds.`;
  return `Line ${id} cannot be proven: what seal ${refused.number} covers is not as it was sealed. iv audit verify tells more.`;
}
