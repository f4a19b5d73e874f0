import type {
  Benefit,
  BenefitReading,
  LevelSummary,
  NetworkSummary,
  PlanSummary,
  ReadRow,
} from '@insurance-verification/schema';
import { periodName, serviceTypeNames } from '../codes.ts';
import { WHOLE_PLAN } from '../eb-codes.ts';
import { procedureText } from '../to-eligibility-inquiry.ts';
type Reading = NetworkSummary['copayment'];

/** What the patient pays (EB01 B, A, C, G, Y). */
const COSTS = {
  copayment: 'Co-payment',
  coinsurance: 'Co-insurance',
  deductible: 'Deductible',
  out_of_pocket: 'Out of pocket',
  spend_down: 'Spend-down',
} as const;

type Cost = keyof typeof COSTS;

/** More than a desk reads in a note. */
const SENTENCE_COUNT_MAX = 10;

/** More services than the sentences could name, without those that were asked for. */
const SUBJECT_COUNT_MAX = 60;

/** A row for more codes is noted by its messages. */
const PROCEDURE_COUNT_MAX = 5;

/** The codes and service types of the request. */
export interface AskedServices {
  readonly codes: ReadonlySet<string>;
  readonly types: ReadonlySet<string>;
}

/** What a sentence is about: the plan, a service type, a code or a range of codes. */
interface Subject {
  readonly key: string;
  readonly kind: 'plan' | 'type' | 'procedure';
  /** The service type or code; empty for the plan. */
  readonly name: string;
  /** Asked codes first, then the plan, asked service types, the rest. */
  readonly rank: number;
  readonly said: () => PlanSummary;
  /** Its spend-down. */
  readonly spent: () => LevelSummary;
}

/**
 * What the patient pays: individual and in network, for the plan, a service type or a code, where the summary of
 * `requests.benefits` has a value. Without one nothing is noted: we do not guess which row counts. Services with the same
 * costs share a sentence; a cost that begins later is noted with its day. If there are too many, those of what was asked
 * for come first, and the rest is counted.
 */
export function moneyNotes(reading: BenefitReading, asked: AskedServices): string[] {
  const byId = new Map(reading.rows.map((row) => [row.benefit.benefit_id, row]));
  const sentences = new Map<string, Sentence>();
  const noted = new Set<string>();
  const rest = new Set<string>();
  let leftOut = 0;
  for (const row of reading.rows) {
    const { kind, amount, percent } = row.benefit;
    if (!isCost(kind) || row.days.time === 'past' || (amount ?? percent) === null) continue;
    const subjects = subjectsOf(row, reading, asked);
    if (subjects.length === 0) leftOut += 1;
    for (const subject of subjects) {
      const day = row.days.time === 'future' ? row.days.period.start : null;
      const both = day === null ? bothText(row) : null;
      const key = `${kind} ${subject.key} ${day} ${both}`;
      if (noted.has(key)) continue;
      if (subject.rank === REST && !rest.has(subject.key) && rest.size === SUBJECT_COUNT_MAX) {
        leftOut += 1;
        continue;
      }
      noted.add(key);
      if (subject.rank === REST) rest.add(subject.key);
      const body = both ?? (day === null ? bodyOfCost(kind, subject, byId) : laterText(row, day));
      if (body === null) continue;
      const group = `${kind} ${subject.kind} ${body}`;
      const same = sentences.get(group);
      if (same) {
        same.names.push(subject.name);
        same.rank = Math.min(same.rank, subject.rank);
      } else
        sentences.set(group, {
          cost: kind,
          kind: subject.kind,
          names: [subject.name],
          body,
          rank: subject.rank,
        });
    }
  }
  const all = [...sentences.values()];
  const isLong = all.length > SENTENCE_COUNT_MAX;
  const kept = isLong
    ? all.toSorted((one, other) => one.rank - other.rank).slice(0, SENTENCE_COUNT_MAX)
    : all;
  leftOut += all.length - kept.length;
  return [
    ...kept.map(({ cost, kind, names, body }) => `${COSTS[cost]}${subjectText(kind, names)}: ${body}.`),
    ...(leftOut === 0 ? [] : [`Amounts of the answer that are not listed here: ${leftOut}.`]),
  ];
}

/** The rank of what was not asked for. */
const REST = 3;

interface Sentence {
  readonly cost: Cost;
  readonly kind: Subject['kind'];
  readonly names: string[];
  readonly body: string;
  rank: number;
}

function subjectText(kind: Subject['kind'], names: readonly string[]): string {
  if (kind === 'plan') return '';
  return `, ${kind === 'type' ? serviceTypeNames(names, 'service') : names.join(', ')}`;
}

function isCost(kind: string): kind is Cost {
  return kind in COSTS;
}

function subjectsOf({ service }: ReadRow, reading: BenefitReading, asked: AskedServices): Subject[] {
  const { procedure, more_procedures: more, types } = service;
  if (procedure !== null) {
    const subjects = [procedure, ...more].map(({ code, last_code: last, modifiers }): Subject => {
      const named = { code: code.toUpperCase(), lastCode: last?.toUpperCase() ?? null, modifiers };
      const name = procedureText(named);
      const rank = isAsked(named, asked.codes) ? 0 : REST;
      return {
        key: name,
        kind: 'procedure',
        name,
        rank,
        said: () => reading.ofProcedure(named),
        spent: () => reading.spendDown({ procedure: named }),
      };
    });
    return more.length < PROCEDURE_COUNT_MAX ? subjects : subjects.filter(({ rank }) => rank !== REST);
  }
  if (types.length === 0 || types.some(({ code }) => code === WHOLE_PLAN))
    return [
      {
        key: WHOLE_PLAN,
        kind: 'plan',
        name: '',
        rank: 1,
        said: () => reading.ofPlan(),
        spent: () => reading.spendDown('plan'),
      },
    ];
  return types.map(({ code }) => ({
    key: `type ${code}`,
    kind: 'type',
    name: code,
    rank: asked.types.has(code) ? 2 : REST,
    said: () => reading.ofType(code),
    spent: () => reading.spendDown({ type: code }),
  }));
}

/** Whether a code that was asked for is the row's, or in its range. */
function isAsked(
  { code, lastCode }: { readonly code: string; readonly lastCode: string | null },
  codes: ReadonlySet<string>,
): boolean {
  if (lastCode === null) return codes.has(code);
  return [...codes].some((asked) => asked.length === code.length && asked >= code && asked <= lastCode);
}

function bodyOfCost(cost: Cost, subject: Subject, rows: ById): string | null {
  return cost === 'spend_down' ? spendDownText(subject.spent(), rows) : bodyOf(cost, subject.said(), rows);
}

/** `$500 a month, $120 left`; each amount with its time where rows differ. Null where no row is the patient's, of the day. */
function spendDownText(read: LevelSummary, rows: ById): string | null {
  const behindAll = (amounts: readonly (Reading | null)[]) =>
    amounts
      .flatMap((one) => one?.benefit_ids ?? [])
      .flatMap((id) => rows.get(id) ?? [])
      .filter(({ standing }) => standing !== 'elsewhere');
  const own = amountsOf(read);
  const isFamily = behindAll(own).length === 0;
  const amounts = isFamily ? ([said(read.family.total), said(read.family.remaining)] as const) : own;
  const values = amounts.filter((one) => one !== null);
  const behind = behindAll(values);
  if (behind.length === 0) return null;
  const isFar = behind.every(({ benefit }) => benefit.network === 'out');
  const scope = [...(isFamily ? ['family'] : []), ...(isFar ? ['out of network'] : [])];
  const [total, left] = amounts;
  const text = values.every((one) => 'value' in one)
    ? [
        ...(total && 'value' in total ? [`${valueText(total)}${periodName(total.period)}`] : []),
        ...(left && 'value' in left ? [Number(left.value) === 0 ? 'met' : leftText(left)] : []),
      ].join(', ')
    : behind
        .map(
          ({ benefit: { amount, period, remaining } }) =>
            `$${amount?.replace(/\.00$/, '')}${remaining ? ' left' : periodName(period)}`,
        )
        .join(' or ');
  return `${text}${scope.length === 0 ? '' : ` (${scope.join(', ')})`}`;
}

/** An amount and a percent in one row: neither is the value, and both are noted. */
function bothText({ benefit, standing, days }: ReadRow): string | null {
  const { amount, percent, network, remaining } = benefit;
  const isPlain = standing === 'speaks' && days.time === 'now' && network !== 'out' && !remaining;
  if (!isPlain || amount === null || percent === null) return null;
  return `$${amount.replace(/\.00$/, '')} and ${percent} %, both in one row`;
}

/** `50 % from 2027-01-01`: a waiting period. */
function laterText({ benefit, standing }: ReadRow, day: string): string | null {
  const { amount, percent, network, remaining } = benefit;
  if (standing === 'elsewhere' || remaining) return null;
  const value = amount === null ? `${percent} %` : `$${amount.replace(/\.00$/, '')}`;
  return `${value} from ${day}${network === 'in' ? ' (in network)' : network === 'out' ? ' (out of network)' : ''}`;
}

/** `$1500 a calendar year, $900 left (individual, in network)`; null where the summary has no value. */
function bodyOf(
  cost: Exclude<Cost, 'spend_down'>,
  { in_network: own, network_not_said: unsaid }: PlanSummary,
  rows: ById,
): string | null {
  for (const network of [own, unsaid]) {
    const [total, left] = network === null ? [null, null] : amountsOf(network[cost]);
    const given = [total, left].filter((one) => one !== null);
    if (given.length === 0) continue;
    const values = given.filter((one) => 'value' in one);
    if (values.length === 0) return null;
    const amounts = [
      ...(total && 'value' in total ? [`${valueText(total)}${periodName(total.period)}`] : []),
      ...(left && 'value' in left ? [leftText(left)] : []),
    ];
    const behind = values.flatMap(({ benefit_ids: ids }) => ids).flatMap((id) => rows.get(id)?.benefit ?? []);
    if (behind.every(({ level }) => level === 'family')) return null;
    const scope = scopeOf(behind);
    const all = [...scope, ...(network === own ? ['in network'] : [])];
    return `${amounts.join(', ')}${all.length === 0 ? '' : ` (${all.join(', ')})`}`;
  }
  return null;
}

type ById = ReadonlyMap<string, ReadRow>;

/** The total and the remaining amount, each null if not reported: the individual's, else those without a level. */
function amountsOf(read: Reading | LevelSummary): readonly [Reading | null, Reading | null] {
  if (!('individual' in read)) return [said(read), null];
  const { individual, level_not_said: unsaid } = read;
  const own = [said(individual.total), said(individual.remaining)] as const;
  if (unsaid === null || own.some((one) => one !== null)) return own;
  return [said(unsaid.total), said(unsaid.remaining)];
}

function said(reading: Reading): Reading | null {
  return 'why' in reading && reading.why === 'not_said' ? null : reading;
}

/** Whose amounts they are, if all rows agree. */
function scopeOf(rows: readonly Benefit[]): string[] {
  const isSubscribers = ({ source, level }: Benefit) =>
    source.kind === 'x12' && source.loop === 'subscriber' && level !== 'family';
  return [
    ...(rows.every(isSubscribers) ? ["the subscriber's"] : []),
    ...(rows.every(({ level }) => level === 'individual') ? ['individual'] : []),
  ];
}

type Value = Extract<Reading, { readonly value: string }>;

/** `$25`, `$12.50`, `20 %`. */
function valueText({ value, unit }: Value): string {
  return unit === 'percent' ? `${value} %` : `$${value.replace(/\.00$/, '')}`;
}

function leftText(left: Value): string {
  return `${valueText(left)} left${left.period === 'lifetime' ? ' of a lifetime' : ''}`;
}
