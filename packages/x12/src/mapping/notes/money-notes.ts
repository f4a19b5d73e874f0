import type {
  Benefit,
  BenefitReading,
  LevelSummary,
  NetworkSummary,
  PlanSummary,
} from '@insurance-verification/schema';
import { periodName, serviceTypeNames } from '../codes.ts';
import { WHOLE_PLAN } from '../coverages/deciding-rows.ts';
import { procedureText } from '../to-eligibility-inquiry.ts';
type Reading = NetworkSummary['copayment'];

/** What the patient pays (EB01 B, A, C, G). */
const COSTS = {
  copayment: 'Co-payment',
  coinsurance: 'Co-insurance',
  deductible: 'Deductible',
  out_of_pocket: 'Out of pocket',
} as const;

type Cost = keyof typeof COSTS;

/** More than a desk reads in a note. */
const SENTENCE_COUNT_MAX = 10;

/** More services than the sentences could name. */
const SUBJECT_COUNT_MAX = 60;

/** A row for more codes is noted by its messages. */
const PROCEDURE_COUNT_MAX = 5;

/** What a sentence is about: the plan, a service type, a code or a range of codes. */
interface Subject {
  readonly key: string;
  readonly kind: 'plan' | 'type' | 'procedure';
  /** The service type or code; empty for the plan. */
  readonly name: string;
  readonly said: () => PlanSummary;
}

/**
 * What the patient pays: individual and in network, for the plan, a service type or a code, where the summary of
 * `requests.benefits` has a value. Without one nothing is noted: we do not guess which row counts. Services with the same
 * costs share a sentence.
 */
export function moneyNotes(rows: readonly Benefit[], reading: BenefitReading): string[] {
  const byId = new Map(rows.map((row) => [row.benefit_id, row]));
  const subjects = new Map<string, Subject>();
  const sentences = new Map<string, Sentence>();
  const noted = new Set<string>();
  for (const row of rows) {
    if (!isCost(row.kind)) continue;
    for (const subject of subjectsOf(row, reading)) {
      const known = subjects.get(subject.key) ?? subject;
      if (known === subject && subjects.size === SUBJECT_COUNT_MAX) continue;
      subjects.set(known.key, known);
      const key = `${row.kind} ${known.key}`;
      if (noted.has(key)) continue;
      noted.add(key);
      const body = bodyOf(row.kind, known.said(), byId);
      if (body === null) continue;
      const group = `${row.kind} ${known.kind} ${body}`;
      const same = sentences.get(group);
      if (same) same.names.push(known.name);
      else sentences.set(group, { cost: row.kind, kind: known.kind, names: [known.name], body });
    }
  }
  return [...sentences.values()]
    .slice(0, SENTENCE_COUNT_MAX)
    .map(({ cost, kind, names, body }) => `${COSTS[cost]}${subjectText(kind, names)}: ${body}.`);
}

interface Sentence {
  readonly cost: Cost;
  readonly kind: Subject['kind'];
  readonly names: string[];
  readonly body: string;
}

function subjectText(kind: Subject['kind'], names: readonly string[]): string {
  if (kind === 'plan') return '';
  return `, ${kind === 'type' ? serviceTypeNames(names, 'service') : names.join(', ')}`;
}

function isCost(kind: string): kind is Cost {
  return kind in COSTS;
}

function subjectsOf({ service }: Benefit, reading: BenefitReading): Subject[] {
  const { procedure, more_procedures: more, types } = service;
  if (procedure !== null) {
    if (more.length >= PROCEDURE_COUNT_MAX) return [];
    return [procedure, ...more].map(({ code, last_code: last, modifiers }) => {
      const asked = { code: code.toUpperCase(), lastCode: last?.toUpperCase() ?? null, modifiers };
      const name = procedureText(asked);
      return { key: name, kind: 'procedure', name, said: once(() => reading.ofProcedure(asked)) };
    });
  }
  if (types.length === 0 || types.some(({ code }) => code === WHOLE_PLAN))
    return [{ key: WHOLE_PLAN, kind: 'plan', name: '', said: once(() => reading.ofPlan()) }];
  return types.map(({ code }) => ({
    key: `type ${code}`,
    kind: 'type',
    name: code,
    said: once(() => reading.ofType(code)),
  }));
}

function once<T>(read: () => T): () => T {
  let value: { readonly of: T } | null = null;
  return () => (value ??= { of: read() }).of;
}

/** `$1500 a calendar year, $900 left (individual, in network)`; null where the summary has no value. */
function bodyOf(
  cost: Cost,
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
    const behind = values.flatMap(({ benefit_ids: ids }) => ids).flatMap((id) => rows.get(id) ?? []);
    if (behind.every(({ level }) => level === 'family')) return null;
    const scope = scopeOf(behind);
    const all = [...scope, ...(network === own ? ['in network'] : [])];
    return `${amounts.join(', ')}${all.length === 0 ? '' : ` (${all.join(', ')})`}`;
  }
  return null;
}

type ById = ReadonlyMap<string, Benefit>;

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
