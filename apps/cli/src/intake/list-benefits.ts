import {
  BENEFIT_KINDS,
  type Benefit,
  type CoverageBenefits,
  escapeHidden,
} from '@insurance-verification/schema';
import type { Command } from 'commander';
import { withExample } from '../example.ts';
import { nameMissing } from '../failure/name-missing.ts';
import { connect } from '../service/connect.ts';
import { type Block, type Cell, fields, table } from '../terminal/table.ts';

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
          index === 0 ? lines(coverage) : ['', ...lines(coverage)],
        ),
      );
      if (terminal.json) return;
      if (answer.coverages.every(({ benefits }) => benefits.length === 0))
        terminal.say('No benefits: the result came without.');
      if (answer.left_out > 0)
        terminal.say(`${answer.left_out} further rows stand in iv requests exchanges.`);
    });
}

function lines({ benefits, unanswered, ...coverage }: CoverageBenefits): Block[] {
  const silent = unanswered.map(({ procedure, service_type: type }) => procedure ?? `service type ${type}`);
  return [
    ...fields([
      ['plan', coverage.plan_name],
      ['status', coverage.eligibility_status],
      ['group', coverage.group_number],
      ['relationship', coverage.relationship],
      ['order', coverage.order],
      ['unanswered', silent.join(', ')],
    ]),
    ...table(
      ['ID', 'WHAT', 'FOR', 'NETWORK', 'WHOSE', 'VALUE', 'PERIOD', 'AUTHORIZATION', 'WORDS'],
      benefits.map(cells),
    ),
  ];
}

function cells(benefit: Benefit): Cell[] {
  const { benefit_id: id, kind, service, network, level, period, remaining, authorization, texts } = benefit;
  return [
    id,
    BENEFIT_KINDS[kind],
    [
      ...service.types.map(({ code, name }) => name ?? code),
      ...[service.procedure, ...service.more_procedures].flatMap((one) => one?.code ?? []),
      ...service.places.map(({ code, name }) => `at: ${name ?? code}`),
    ].join(', '),
    network,
    level,
    valueOf(benefit),
    remaining ? 'remaining' : period,
    authorization,
    texts.map(escapeHidden).join(' / '),
  ];
}

function valueOf({ amount, percent, quantity }: Benefit): string | null {
  if (amount !== null) return `$${amount}`;
  if (percent !== null) return `${percent} %`;
  return quantity && [quantity.value, quantity.unit].filter((part) => part !== null).join(' ');
}
