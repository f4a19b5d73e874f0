import type { Command } from 'commander';
import { connect } from '../connect.ts';
import { withExample } from '../example.ts';
import { nameMissing } from '../name-missing.ts';
import { requestFields } from '../intake/request-fields.ts';

/** `iv deliveries redeliver` */
export function addRedeliver(deliveries: Command): void {
  withExample(deliveries.command('redeliver'), 'iv deliveries redeliver req_…')
    .description('deliver the standing result again: the same message, a new round of attempts')
    .argument('<request_id>', 'the id the service issued')
    .action(async (requestId: string, _options: object, command: Command) => {
      const { client, terminal } = connect(command);
      const call = client.requests.redeliver({ request_id: requestId });
      const request = await nameMissing(`request ${requestId}`, 'iv requests list', call);
      terminal.answer(request, requestFields(request));
      if (!terminal.json) terminal.say(`Queued. Its attempts: iv deliveries list ${requestId}`);
    });
}
