import type { Command } from 'commander';
import { withExample } from '../example.ts';
import { nameMissing } from '../failure/name-missing.ts';
import { connect } from '../service/connect.ts';
import { requestFields } from './request-fields.ts';

/** `iv requests get` */
export function addGetRequest(requests: Command): void {
  withExample(requests.command('get'), 'iv requests get req_…')
    .description('show one request as it stands now')
    .argument('<request_id>', 'the id the service issued')
    .action(async (requestId: string, _options: object, command: Command) => {
      const { client, terminal } = await connect(command);
      const call = client.requests.get({ request_id: requestId });
      const request = await nameMissing(`request ${requestId}`, 'iv requests list', call);
      terminal.answer(request, requestFields(request));
    });
}
