import type { Benefit as FoundBenefit, BenefitProcedure } from '@insurance-verification/schema';
import type { Benefit } from '../../answer/eligibility-answer.ts';
import type { AnsweredProcedure, RelatedEntity, ServiceDelivery } from '../../parts/parts.ts';
import { addressText, nameText } from '../member/patient-of.ts';
import { serviceTypeName } from '../service-types.ts';
import { amountOf, decimalOf, percentOf } from './decimals.ts';
import { placeName } from './places-of-service.ts';
import * as behind from './slugs-behind-a-row.ts';
import * as slugs from './slugs.ts';

const { slugOf } = slugs;

/** EB06 of what is left. */
const REMAINING: ReadonlySet<string | null> = new Set(['29', '33']);

/** III01 of a place of service. */
const PLACE = 'ZZ';

/** PER03 of a telephone. */
const TELEPHONE = 'TE';

/** Where a row is, and as what it was sent. */
interface SentRow {
  readonly row: number;
  readonly loop: 'patient' | 'subscriber';
  readonly segments: readonly string[];
}

/** Loop 2110 as a benefit. Nothing is left out: what has no member of its own is in the segments. */
export function readBenefitRow(benefit: Benefit, { row, loop, segments }: SentRow): FoundBenefit {
  const { insuranceType, timePeriod } = benefit;
  const quantity = decimalOf(benefit.quantity);
  const [procedure = null, ...more] = benefit.procedures.map(procedureOf);
  const slug = slugOf(slugs.INSURANCE_TYPES, insuranceType, 'other');
  return {
    benefit_id: `b${row}`,
    kind: slugOf(slugs.KINDS, benefit.code, 'unknown') ?? 'unknown',
    service: {
      types: benefit.serviceTypes.map((code) => ({ code, name: serviceTypeName(code) })),
      procedure,
      more_procedures: more,
      places: benefit.information.flatMap(({ qualifier, code }) =>
        qualifier === PLACE && code !== null ? [{ code, name: placeName(code) }] : [],
      ),
    },
    network: slugs.NETWORKS.get(benefit.inNetwork ?? '') ?? null,
    level: slugs.levelOf(benefit),
    amount: amountOf(benefit.amount),
    percent: percentOf(benefit.percent),
    quantity: quantity === null ? null : { value: quantity, unit: unitOf(benefit.quantityQualifier) },
    period: slugOf(slugs.PERIODS, timePeriod, 'other'),
    remaining: REMAINING.has(timePeriod),
    authorization: slugs.AUTHORIZATIONS.get(benefit.authorisation ?? '') ?? null,
    frequency: benefit.deliveries.map(frequencyOf),
    insurance_type: insuranceType === null || slug === null ? null : { code: insuranceType, slug },
    plan: benefit.planName,
    dates: benefit.dates.map(({ qualifier, start, end }) => ({
      kind: behind.DATES.get(qualifier) ?? 'other',
      start,
      end,
    })),
    related: benefit.entities.map(relatedOf),
    references: benefit.references.map(({ qualifier, id, description }) => ({
      kind: behind.REFERENCES.get(qualifier) ?? 'other',
      value: id,
      description,
    })),
    texts: [...benefit.messages],
    source: { kind: 'x12', row, loop, segments: [...segments] },
  };
}

function unitOf(code: string | null) {
  return slugOf(slugs.UNITS, code, 'other');
}

function procedureOf({ qualifier, code, lastCode, modifiers }: AnsweredProcedure): BenefitProcedure {
  const system = slugs.SYSTEMS.get(qualifier) ?? 'other';
  return { system, code, last_code: lastCode, modifiers: [...modifiers] };
}

/** HSD03 and HSD04 after a count are its pace: `HSD*VS*12*WK*3` is twelve visits, three a week, not one every three weeks. */
function frequencyOf(delivery: ServiceDelivery): FoundBenefit['frequency'][number] {
  const count = decimalOf(delivery.quantity);
  const [paceCount, paceUnit] = [decimalOf(delivery.modulus), unitOf(delivery.unit)];
  const rate =
    count !== null && paceCount !== null && paceUnit !== null ? { count: paceCount, per: paceUnit } : null;
  return {
    count,
    unit: unitOf(delivery.quantityQualifier),
    rate,
    every: rate === null ? paceCount : null,
    every_unit: rate === null ? paceUnit : null,
    period: slugOf(slugs.PERIODS, delivery.timePeriod, 'other'),
    period_count: decimalOf(delivery.periodCount),
    pattern: delivery.pattern,
    pattern_time: delivery.patternTime,
  };
}

function relatedOf({ role, name, id, contacts, address }: RelatedEntity): FoundBenefit['related'][number] {
  return {
    role: behind.ROLES.get(role) ?? 'other',
    name: name && nameText(name),
    id,
    phone: contacts.find(({ qualifier }) => qualifier === TELEPHONE)?.value ?? null,
    address: address && addressText(address),
  };
}
