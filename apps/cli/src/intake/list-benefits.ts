import type { Command } from 'commander';
import { withExample } from '../example.ts';
import { nameMissing } from '../failure/name-missing.ts';
import { connect } from '../service/connect.ts';
import { coverageLines } from './coverage-lines.ts';

/** `iv requests benefits` */
export function addListBenefits(requests: Command): void {
  withExample(requests.command('benefits'), 'iv requests benefits req_…')
    .description('show everything that the payer said: co-payments, deductibles, limits, other payers')
    .argument('<request_id>', 'the id the service issued')
    .option('--result-version <number>', 'a version of the result, instead of the standing one', Number)
    .action(async (requestId: string, options: { readonly resultVersion?: number }, command: Command) => {
      const { client, terminal } = await connect(command);
      const { resultVersion: version } = options;
      const call = client.requests.benefits({
        request_id: requestId,
        ...(version !== undefined && { version }),
      });
      const answer = await nameMissing(`request ${requestId}`, 'iv requests list', call);
      terminal.answer(
        answer,
        answer.coverages.flatMap((coverage, index) =>
          index === 0 ? coverageLines(coverage) : ['', ...coverageLines(coverage)],
        ),
      );
      if (terminal.json) return;
      if (answer.coverages.every(({ benefits }) => benefits.length === 0))
        terminal.say('No benefits: the result came without.');
      if (answer.left_out > 0)
        terminal.say(`${answer.left_out} further rows stand in iv requests exchanges.`);
    });
}
