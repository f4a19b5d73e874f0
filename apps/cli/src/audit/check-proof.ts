import type { Command } from 'commander';
import { rightExample, withExample } from '../example.ts';
import { CommandFailedError, WrongUsageError } from '../failure/failure.ts';
import { fields } from '../terminal/table.ts';
import { openTerminal } from '../terminal/terminal.ts';
import { addKeyOptions, type KeyOptions, readKeys, readText } from './seal-keys.ts';

const EXAMPLE = 'iv audit check-proof 48213.tlog-proof --key-file audit.pub';

/** `iv audit check-proof <file>`: needs neither a service nor a database. */
export function addCheckProof(audit: Command): void {
  addKeyOptions(withExample(audit.command('check-proof'), EXAMPLE))
    .description('check a proof of iv audit prove by the public key alone, and show the line that it proves')
    .argument('<file>', 'the proof')
    .action(async (file: string, options: KeyOptions, command: Command) => {
      const terminal = openTerminal(command);
      const keys = await readKeys(options, EXAMPLE);
      const text = readText(file);
      // Imported on demand: loading the database packages takes longer than most commands.
      const { checkProof } = await import('@insurance-verification/store');
      const checked = checkProof(text, keys);
      if (checked.kind === 'unreadable')
        throw new WrongUsageError(`${file} is no proof of a line.\n${rightExample(EXAMPLE)}`);
      if (checked.kind === 'unknown_key')
        throw new CommandFailedError('The proof is signed by none of these keys.');
      if (checked.kind === 'forged')
        throw new CommandFailedError('The proof is false: this line is not in what the key signed.');
      const { line, seal } = checked;
      const shown = {
        audit_id: line.id,
        at: line.at,
        operation: line.operation,
        key_id: line.keyId,
        account_id: line.accountId,
        request_id: line.requestId,
        subject_id: line.subjectId,
        seal: seal.number,
        sealed_at: seal.at.toISOString(),
      };
      terminal.answer(shown, fields(Object.entries(shown)));
      if (!terminal.json) terminal.say('This line was sealed as it is here.');
    });
}
