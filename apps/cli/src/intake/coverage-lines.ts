import {
  BENEFIT_KINDS,
  type Benefit,
  type CoverageBenefits,
  escapeHidden,
} from '@insurance-verification/schema';
import { type Block, type Cell, fields, table } from '../terminal/table.ts';

/** The service types that a 270 asks for. */
const ASKED_TYPES = new Map([
  ['30', 'the plan'],
  ['35', 'dental care'],
]);

/** What the payer said of one coverage, a line for each row. */
export function coverageLines({ benefits, unanswered, ...coverage }: CoverageBenefits): Block[] {
  const silent = unanswered.map(
    ({ procedure, service_type: type }) => procedure ?? ASKED_TYPES.get(type ?? ''),
  );
  return [
    ...fields([
      ['plan', coverage.plan_name],
      ['status', coverage.eligibility_status],
      ['group', coverage.group_number],
      ['relationship', coverage.relationship],
      ['order', coverage.order],
      ['unanswered', silent.filter(Boolean).join(', ')],
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
