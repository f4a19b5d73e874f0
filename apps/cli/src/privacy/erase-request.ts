import { ErasureReason } from '@insurance-verification/schema';
import { type Command, Option } from 'commander';
import { withExample } from '../example.ts';
import { nameMissing } from '../failure/name-missing.ts';
import { connect } from '../service/connect.ts';
import { erasureFields } from './erasure-fields.ts';

/** `iv requests erase` */
export function addEraseRequest(requests: Command): void {
  withExample(requests.command('erase'), 'iv requests erase req_… --reason wrong_patient')
    .description('ask for the erasure of its data; a person confirms it in the console, within 7 days')
    .argument('<request_id>', 'the id the service issued')
    .addOption(new Option('--reason <reason>', 'why').choices(ErasureReason.options).makeOptionMandatory())
    .action(async (requestId: string, { reason }: { reason: ErasureReason }, command: Command) => {
      const { client, terminal } = await connect(command);
      const asking = client.requests.erase({ request_id: requestId, reason });
      const erasure = await nameMissing(`request ${requestId}`, 'iv requests list', asking);
      terminal.answer(erasure, erasureFields(erasure));
    });
}
