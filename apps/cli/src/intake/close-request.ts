import { CloseReason } from '@insurance-verification/schema';
import { type Command, Option } from 'commander';
import { withExample } from '../example.ts';
import { nameMissing } from '../failure/name-missing.ts';
import { connect } from '../service/connect.ts';
import { requestFields } from './request-fields.ts';

/** `iv requests close` */
export function addCloseRequest(requests: Command): void {
  withExample(requests.command('close'), 'iv requests close req_… --reason withdrawn')
    .description('end a request without a result, as error_verifying; its receiver is told')
    .argument('<request_id>', 'the id the service issued')
    .addOption(new Option('--reason <reason>', 'why').choices(CloseReason.options).makeOptionMandatory())
    .action(async (requestId: string, { reason }: { reason: CloseReason }, command: Command) => {
      const { client, terminal } = await connect(command);
      const call = client.requests.close({ request_id: requestId, reason });
      const request = await nameMissing(`request ${requestId}`, 'iv requests list', call);
      terminal.answer(request, requestFields(request));
    });
}
