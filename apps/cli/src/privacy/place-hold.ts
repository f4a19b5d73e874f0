import { type Command, Option } from 'commander';
import { withExample } from '../example.ts';
import { WrongUsageError } from '../failure/failure.ts';
import { nameMissing } from '../failure/name-missing.ts';
import { connect } from '../service/connect.ts';
import { holdFields } from './hold-fields.ts';

interface Options {
  readonly request?: string;
  readonly account?: string;
  readonly reason: string;
}

/** `iv holds place` */
export function addPlaceHold(holds: Command): void {
  withExample(holds.command('place'), 'iv holds place --request req_… --reason "Doe v. Clinic"')
    .description('keep a request, or all of an account, from every erasure until the hold is ended')
    .option('--request <request_id>', 'the request that it covers')
    .addOption(new Option('--account <account_id>', 'the account that it covers').conflicts('request'))
    .requiredOption('--reason <text>', 'why: the matter and who asked; it is sealed')
    .action(async ({ request, account, reason }: Options, command: Command) => {
      if (request === undefined && account === undefined)
        throw new WrongUsageError(
          'A hold covers a request or an account. Expected for example: --request req_…',
        );
      const { client, terminal } = await connect(command);
      const covers = request === undefined ? { account_id: account } : { request_id: request };
      const [what, how] =
        request === undefined
          ? [`account ${account}`, 'iv accounts list']
          : [`request ${request}`, 'iv requests list'];
      const hold = await nameMissing(what, how, client.holds.place({ ...covers, reason }));
      terminal.answer(hold, holdFields(hold));
    });
}
