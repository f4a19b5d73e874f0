import type { Command } from 'commander';
import { withExample } from '../example.ts';
import { CommandFailedError } from '../failure/failure.ts';
import { readPage } from '../page.ts';
import { connect } from '../service/connect.ts';
import { erasureFields } from './erasure-fields.ts';

/** `iv erasures show`: the erasure of a request, with its certificate. */
export function addShowErasure(erasures: Command): void {
  withExample(erasures.command('show'), 'iv erasures show req_…')
    .description('show the erasure of a request, and once it is done its certificate')
    .argument('<request_id>', 'the request')
    .action(async (requestId: string, _options: object, command: Command) => {
      const { client, terminal } = await connect(command);
      const { items } = await readPage(client.erasures.list, { all: true });
      const erasure = items.find((one) => one.request_id === requestId);
      if (!erasure) throw new CommandFailedError('No erasure of this request was asked for, or it lapsed.');
      terminal.answer(erasure, erasureFields(erasure));
    });
}
