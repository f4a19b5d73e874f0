import type { Command } from 'commander';
import { withExample } from '../example.ts';
import { openTerminal } from '../terminal/terminal.ts';
import { requireOwnKey } from './seal-keys.ts';

const EXAMPLE = 'AUDIT_SEAL_KEY_FILE=/run/secrets/audit-seal-key iv audit key';

/** `iv audit key`: where the service's key is, and nothing else is needed. */
export function addShowSealKey(audit: Command): void {
  withExample(audit.command('key'), EXAMPLE)
    .description(
      'print the public keys that verify the seals, for whoever shall verify them (AUDIT_SEAL_KEY, else that of the embedded database in DATA_DIR)',
    )
    .action(async (_options: object, command: Command) => {
      const terminal = openTerminal(command);
      const keys = (await requireOwnKey(EXAMPLE)).verifiers.map(({ text }) => text);
      terminal.answer({ verifier_keys: keys }, keys);
    });
}
