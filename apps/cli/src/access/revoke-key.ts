import type { Command } from 'commander';
import { withExample } from '../example.ts';
import { nameMissing } from '../failure/name-missing.ts';
import { connect } from '../service/connect.ts';
import { fields } from '../terminal/table.ts';

/** `iv keys revoke` */
export function addRevokeKey(keys: Command): void {
  withExample(keys.command('revoke'), 'iv keys revoke key_…')
    .description('end an API key; again is the same as once')
    .argument('<key_id>', 'its id, not its text')
    .action(async (keyId: string, _options: object, command: Command) => {
      const { client, terminal } = await connect(command);
      const revoked = await nameMissing(
        `key ${keyId}`,
        'iv keys list',
        client.keys.revoke({ key_id: keyId }),
      );
      terminal.answer(
        revoked,
        fields([
          ['key_id', revoked.key_id],
          ['prefix', revoked.prefix],
          ['name', revoked.name],
          ['revoked', revoked.revoked_at],
        ]),
      );
    });
}
