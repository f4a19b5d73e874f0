import type { Command } from 'commander';
import { withExample } from '../example.ts';
import { connect } from '../service/connect.ts';
import { secretFields } from './secret-fields.ts';

/** `iv secret show` */
export function addShowSecret(secret: Command): void {
  withExample(secret.command('show'), 'iv secret show')
    .description('show the secret to verify your webhooks with')
    .action(async (_options: object, command: Command) => {
      const { client, terminal } = await connect(command);
      const secrets = await client.webhookSecret.get();
      terminal.answer(secrets, secretFields(secrets));
    });
}
