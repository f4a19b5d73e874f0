import type { Command } from 'commander';
import { withExample } from '../example.ts';
import { connect } from '../service/connect.ts';
import { secretFields } from './secret-fields.ts';

/** `iv secret rotate` */
export function addRotateSecret(secret: Command): void {
  withExample(secret.command('rotate'), 'iv secret rotate')
    .description('make a new secret; the one before signs beside it for 24 hours')
    .action(async (_options: object, command: Command) => {
      const { client, terminal } = await connect(command);
      const secrets = await client.webhookSecret.rotate();
      terminal.answer(secrets, secretFields(secrets));
      if (!terminal.json)
        terminal.say(
          `The one before signs until ${secrets.previous_valid_until}: give receivers the new one by then.`,
        );
    });
}
