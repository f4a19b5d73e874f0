import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Command } from 'commander';
import { rightExample, withExample } from '../example.ts';
import { explainDatabaseFailure } from '../failure/explain-database-failure.ts';
import { CommandFailedError, WrongUsageError } from '../failure/failure.ts';
import { requireOwnDatabaseUrl } from '../service/require-own-database-url.ts';
import { openTerminal } from '../terminal/terminal.ts';
import { counted } from './describe-fault.ts';
import { EXPECTED } from './verify-audit.ts';

const EXAMPLE = 'DATABASE_URL_FILE=/run/secrets/database-url iv audit archive 2026-11 > audit-2026-11.ndjson';

/** `iv audit archive <month>`: what `iv audit drop` asks for. */
export function addArchiveMonth(audit: Command): void {
  withExample(audit.command('archive'), EXAMPLE)
    .description(
      "print a month's lines of the audit as they were sealed, a line of JSON each, to be kept when the month is dropped (DATABASE_DIRECT_URL, else DATABASE_URL)",
    )
    .argument('<month>', 'as 2026-11; must be over')
    .action(async (month: string, _options: object, command: Command) => {
      const terminal = openTerminal(command);
      // Imported on demand: loading the database packages takes longer than most commands.
      const { archiveMonth, isMonth, withAudit } = await import('@insurance-verification/store');
      if (!isMonth(month))
        throw new WrongUsageError(
          `Expected a month as 2026-11; what came is ${month}.\n${rightExample(EXAMPLE)}`,
        );
      const connectionString = await requireOwnDatabaseUrl(process.env, EXAMPLE);
      const writing = withAudit(connectionString, async (store) => {
        const archive = await archiveMonth(store, { month });
        if (archive.kind !== 'found') return archive;
        const sha256 = createHash('sha256');
        const hashed = Readable.from(archive.parts).map((part: string) => {
          sha256.update(part);
          return part;
        });
        await pipeline(hashed, process.stdout, { end: false });
        return { ...archive, digest: sha256.digest('hex') };
      });
      const written = await explainDatabaseFailure('Archiving the month', EXPECTED, writing);
      if (written.kind === 'not_over')
        throw new CommandFailedError(
          `${month} is not over: more lines may come. The first line of a later month ends it.`,
        );
      if (written.kind === 'unknown_month')
        throw new CommandFailedError(
          `The audit has no month ${month}; iv audit months lists those that it has.`,
        );
      terminal.say(`${counted(written.lineCount(), 'line')} of ${month}, SHA-256 ${written.digest}.`);
      terminal.say(
        `Keep it where the audit must be kept, then: iv audit drop ${month} --archive <file> --yes`,
      );
    });
}
