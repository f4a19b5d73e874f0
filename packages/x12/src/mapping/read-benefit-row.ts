import type { BenefitDate, Benefit as FoundBenefit, BenefitProcedure } from '@insurance-verification/schema';
import type { Benefit } from '../answer/eligibility-answer.ts';
import type { AnsweredProcedure, DatedPeriod, RelatedEntity, ServiceDelivery } from '../parts/parts.ts';
import { serviceTypeName } from './codes.ts';
import { addressText, nameText, phoneAmong } from './patient-of.ts';
import * as behind from './slugs-of-row.ts';
import * as slugs from './slugs.ts';

const { slugOf } = slugs;

/** EB06 of remaining amounts. */
const REMAINING: ReadonlySet<string | null> = new Set(['29', '33']);

/** III01 of a place of service. */
const PLACE = 'ZZ';

/** The place of a row, and its segments as sent. */
interface SentRow {
  readonly row: number;
  readonly loop: 'patient' | 'subscriber';
  readonly inquiry?: number;
  readonly segments: readonly string[];
}

/** Loop 2110 as a benefit. Nothing is lost: elements without a member of their own are in the segments. */
export function readBenefitRow(benefit: Benefit, { row, loop, inquiry, segments }: SentRow): FoundBenefit {
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
    dates: benefit.dates.map(readDate),
    related: benefit.entities.map(relatedOf),
    references: benefit.references.map(({ qualifier, id, description }) => ({
      kind: behind.REFERENCES.get(qualifier) ?? 'other',
      value: id,
      description,
    })),
    texts: [...benefit.messages],
    source: {
      kind: 'x12',
      row,
      loop,
      ...(inquiry !== undefined && { inquiry }),
      segments: [...segments],
    },
  };
}

function unitOf(code: string | null) {
  return slugOf(slugs.UNITS, code, 'other');
}

function procedureOf({ qualifier, code, lastCode, modifiers }: AnsweredProcedure): BenefitProcedure {
  const system = slugs.SYSTEMS.get(qualifier) ?? 'other';
  return { system, code, last_code: lastCode, modifiers: [...modifiers] };
}

/**
 * HSD03 and HSD04 after a count are its pace: `HSD*VS*12*WK*3` is twelve visits, three a week, not one every three weeks.
 * A number above the count, without a period after it, is no pace: `HSD*VS*1*MO*6` is one in six months.
 */
function frequencyOf(delivery: ServiceDelivery): FoundBenefit['frequency'][number] {
  const count = decimalOf(delivery.quantity);
  const [paceCount, paceUnit] = [decimalOf(delivery.modulus), unitOf(delivery.unit)];
  const isPace =
    count !== null &&
    paceCount !== null &&
    (Number(paceCount) <= Number(count) || delivery.timePeriod !== null);
  const rate = isPace && paceUnit !== null ? { count: paceCount, per: paceUnit } : null;
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

export function readDate({ qualifier, start, end }: DatedPeriod): BenefitDate {
  return { kind: behind.DATES.get(qualifier) ?? 'other', start, end };
}

function relatedOf({ role, name, id, contacts, address }: RelatedEntity): FoundBenefit['related'][number] {
  return {
    role: behind.ROLES.get(role) ?? 'other',
    name: name && nameText(name),
    id,
    phone: phoneAmong(contacts),
    address: address && addressText(address),
  };
}

/** Places of service (III02 after `ZZ`; CMS keeps the list) in our own words. A place that is not listed has no name. */
const NAMES = new Map(
  `01 Pharmacy;02 Telehealth, not at home;03 School;04 Homeless shelter;05 Indian Health Service, own building
06 Indian Health Service, with a provider;07 Tribal facility, own building;08 Tribal facility, with a provider;09 Prison
10 Telehealth, at home;11 Office;12 Home;13 Assisted living;14 Group home;15 Mobile unit;16 Temporary lodging
17 Walk-in clinic in a shop;18 Place of work;19 Outpatient hospital, off campus;20 Urgent care;21 Hospital, inpatient
22 Hospital, outpatient;23 Hospital, emergency room;24 Surgery center;25 Birthing center;26 Military facility
27 Outreach on the street;31 Skilled nursing facility;32 Nursing facility;33 Custodial care;34 Hospice
41 Ambulance, land;42 Ambulance, air or water;49 Independent clinic;50 Federal health center
51 Psychiatric hospital, inpatient;52 Psychiatric hospital, partial;53 Mental health center
54 Care for intellectual disabilities;55 Residential substance abuse care;56 Residential psychiatric care
57 Substance abuse care, outpatient;58 Opioid treatment;60 Mass immunization;61 Rehabilitation, inpatient
62 Rehabilitation, outpatient;65 Kidney disease center;66 Care for the elderly, all-inclusive;71 Public health clinic
72 Rural health clinic;81 Laboratory;99 Elsewhere`
    .split(/[;\n]/)
    .map((entry) => [entry.slice(0, 2), entry.slice(3)] as const),
);

/** Null for a place that is not listed. */
export function placeName(code: string): string | null {
  return NAMES.get(code) ?? null;
}

/** What {@link decimalOf} reads: as many digits as the schema's `decimal()` takes. */
const NUMBER = /^(\d{0,15})(?:\.(\d{0,6})0*)?$/;

/** A number of X12 (`R`) in the schema's form: `.5` is `0.5`, `007.10` is `7.1`. Null for what is no such number, or is negative. */
export function decimalOf(text: string | null): string | null {
  const [, whole = '', fraction = ''] = (text !== null && NUMBER.exec(text)) || [];
  if (whole + fraction === '') return null;
  const kept = fraction.replace(/0+$/, '');
  return `${whole.replace(/^0+(?=\d)/, '') || '0'}${kept === '' ? '' : `.${kept}`}`;
}

/** Dollars of EB07, with two decimals at least. */
export function amountOf(text: string | null): string | null {
  const number = decimalOf(text);
  if (number === null) return null;
  const [whole = '', fraction = ''] = number.split('.');
  return `${whole}.${fraction.padEnd(2, '0')}`;
}

/** Percent of EB08, which is a fraction; some senders mean a value above 1 as percent. */
export function percentOf(text: string | null): string | null {
  const number = decimalOf(text);
  if (number === null) return null;
  const [whole = '', fraction = ''] = number.split('.');
  if (whole !== '0' && number !== '1') return number;
  const digits = fraction.padEnd(2, '0');
  return decimalOf(`${whole}${digits.slice(0, 2)}.${digits.slice(2)}`);
}
