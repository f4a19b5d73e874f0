import {
  BENEFIT_KINDS,
  type Benefit,
  type CoverageBenefits,
  escapeHidden,
  type RequestModel,
  type VerificationProof,
  type VerificationRecord,
  type X12Exchange,
} from '@insurance-verification/schema';
import { type Block, type Cell, fields, table } from '../terminal/table.ts';

/** A request for a person, one field per line. @param more fields that are not in the body. */
export function requestFields(
  { request_id, state, error_reason, received_timestamp, input }: RequestModel,
  more: (readonly [name: string, value: string])[] = [],
): string[] {
  const { patient_info: patient, payer_info: payer, provider_info: provider } = input;
  return fields([
    ['request_id', request_id],
    ['state', state],
    ['error_reason', error_reason],
    ['received', received_timestamp],
    ['payer', payer.name],
    ['subscriber_id', patient.subscriber_id],
    ['dob', patient.dob],
    ['patient', patient.name],
    ['npi', provider.npi],
    ['provider', provider.name],
    ['cpt_codes', input.cpt_code_coverage?.join(' ')],
    ['callback_url', withoutPassword(input.callback_url)],
    ...more,
  ]);
}

/** A callback address may contain the receiver's password. */
function withoutPassword(address: string): string {
  return address.replace(/^([^:]+:\/\/)[^/?#]*@/, '$1…@');
}

/** The proof of a verification, line by line. */
export function proofLines(proof: VerificationProof): Block[] {
  const { attempt, benefits, coverages, delivery, provider_info: provider, result, seal, versions } = proof;
  const patient = result?.request.input.patient_info;
  const verification = versions.at(-1)?.verification;
  return [
    ...fields([
      ['patient', patient?.name],
      ['born', patient?.dob],
      ['member_id', patient?.subscriber_id],
      ['payer', proof.payer],
      ['day', proof.service_date],
      ['procedures', proof.cpt_code_coverage.join(', ')],
      ['provider', provider.name],
      ['npi', provider.npi],
      ['asked', proof.received_timestamp],
      ['asked_by', proof.account_name],
      ['error_reason', proof.error_reason],
    ]),
    ...coverages.flatMap(({ plan_info: plan, verification_source, verification_time }, entry): Block[] => {
      const said = benefits?.coverages.find((one) => one.entry === entry);
      return [
        '',
        ...fields([
          ['status', plan.eligibility_status],
          ['plan', plan.plan_name],
          ['from', plan.start_date],
          ['to', plan.end_date],
          ['covered', plan.cpt_code_coverage?.join(', ')],
          ['notes', result?.insurance_data[entry]?.notes],
          ['channel', verification_source],
          ['answered', verification_time],
        ]),
        ...(said && said.benefits.length > 0 ? coverageLines(said) : []),
      ];
    }),
    '',
    ...fields([
      ['verified_by', verification && verifierOf(verification)],
      ['from', verification?.started_at],
      ['to', verification?.ended_at],
      ['channel', verification?.channel],
      ['reference', verification?.reference],
      ['representative', verification?.representative],
    ]),
    ...table(
      ['RESULT', 'CORRECTED', 'REASON', 'APPLIED', 'BY'],
      versions
        .filter(({ correction, held_id: heldId }) => correction !== null || heldId !== null)
        .map(({ version, correction, held_id: heldId, ...applied }) => [
          version,
          correction?.corrected_at,
          correction?.reason,
          heldId && applied.applied_at,
          heldId && (applied.applied_by_name ?? applied.applied_by),
        ]),
    ),
    ...table(
      ['FIELD', 'SOURCE', 'WORDS'],
      (attempt?.provenance ?? []).map(({ field, source, quote }) => [field, source, quote]),
    ),
    '',
    ...fields([
      ['request', proof.request_id],
      ['results', versions.map(({ version, applied_at }) => `${version} at ${applied_at}`).join(', ')],
      ['result', proof.version],
      ['delivery', `${delivery.delivery_id}, ${delivery.status}`],
      ['taken', delivery.accepted_at],
      ['http', delivery.status_code],
      ['sha256', proof.digest],
      ['seal', sealText(seal)],
    ]),
  ];
}

function verifierOf({ verified_by_name: name, verified_by: id, channel }: VerificationRecord): string {
  return name ?? id ?? (channel === 'api' ? "the payer's API" : 'a sender without a key');
}

function sealText(seal: VerificationProof['seal']): string {
  if (seal === null) return 'the entry was archived with its month';
  return seal.seal === null ? 'not sealed yet' : `${seal.seal} at ${seal.sealed_at}`;
}

/** The service types that a 270 asks for. */
const ASKED_TYPES = new Map([
  ['30', 'the plan'],
  ['35', 'dental care'],
]);

/** The benefits of one coverage, a row for each. */
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

/** An inquiry to a payer over X12, and its answer. */
export function exchangeLines(exchange: X12Exchange): string[] {
  return [
    ...fields([
      ['control_number', exchange.control_number],
      ['payer_id', exchange.payer_id],
      ['started', exchange.started_at],
      ['ms', exchange.duration_ms],
      ['http', exchange.status_code],
      ['error_reason', exchange.error_reason],
      ['fixed_by', exchange.fixed_by],
      ['explanation', exchange.explanation],
      ['payer_codes', exchange.payer_codes.join(', ')],
    ]),
    'inquiry',
    ...segments(exchange.inquiry),
    'answer',
    ...(exchange.answer === null ? ['  nothing came'] : segments(exchange.answer)),
  ];
}

/** The offset of the segment terminator in the ISA. */
const TERMINATOR_PLACE = 105;

/** One line per segment for reading; `--json` keeps the text unchanged. */
function segments(text: string): string[] {
  const terminator = text.startsWith('ISA') ? text.charAt(TERMINATOR_PLACE) : '';
  const parts = terminator === '' ? [text] : text.split(terminator);
  return parts
    .map((part, index) => (index === parts.length - 1 ? part : part + terminator).trim())
    .filter((part) => part !== '')
    .map((part) => `  ${escapeHidden(part)}`);
}
