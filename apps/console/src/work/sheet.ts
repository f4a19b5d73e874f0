import {
  type SheetAnswer,
  type SheetName,
  type SheetRow,
  SHEETS,
  type SubmittedBenefit,
  type SubmittedCoverage,
} from '@insurance-verification/schema';
import { dayInWords, readDate } from '../look/read-date.ts';

/** A sheet as far as it is typed: texts by the rows' ids. */
export interface SheetDraft {
  /** `payer`: the one that the payers' configuration has for its payer. */
  readonly name: SheetName | 'payer' | 'none';
  readonly answers: Readonly<Record<string, string>>;
}

export const NO_SHEET: SheetDraft = { name: 'none', answers: {} };

/** The field that words are tied to for a row. */
export type RowField = `sheet-${string}`;

export const rowField = ({ id }: Pick<SheetRow, 'id'>): RowField => `sheet-${id}`;

/** What of a request says which sheet its payer has. */
interface AskedPayer {
  readonly payer: { readonly sheet: readonly SheetRow[] | null };
}

const NO_ROWS: readonly SheetRow[] = [];

/** The rows that the configuration has for the payer; empty without a sheet. */
export const ownRowsOf = ({ payer: { sheet } }: AskedPayer): readonly SheetRow[] => sheet ?? NO_ROWS;

/** The sheet to begin with. */
export const firstSheet = ({ payer: { sheet } }: AskedPayer): SheetDraft =>
  sheet === null ? NO_SHEET : { name: 'payer', answers: {} };

export function rowsOf({ name }: SheetDraft, item: AskedPayer): readonly SheetRow[] {
  if (name === 'none') return NO_ROWS;
  return name === 'payer' ? ownRowsOf(item) : SHEETS[name];
}

/** The codes that a row of a service is about, by its service type. */
const CODES_OF_TYPES: Readonly<Record<string, RegExp>> = {
  '38': /^D8/, // orthodontics
  '41': /^D[01]/, // preventive
  '86': /^9928/, // emergency room
  '98': /^99(20|21|24)/, // office visit
  UC: /^(99(20|21)|S908)/, // urgent care
};

/** The same by the words of a class that has no service type. A filling is basic, a crown major, by most plans. */
const CODES_OF_WORDS: readonly (readonly [RegExp, RegExp])[] = [
  [/^Basic/, /^D[2-47]/],
  [/^Major/, /^D[2-7]/],
  [/missing-tooth/, /^D[56]/],
];

/**
 * The rows that the asked codes need, and the others: those of a service that was not asked. A row of the whole plan, such
 * as its maximum, is needed for each code, and every row where no code was asked.
 */
export function byNeed(
  rows: readonly SheetRow[],
  codes: readonly string[],
): { readonly needed: readonly SheetRow[]; readonly others: readonly SheetRow[] } {
  const asked = codes.map((code) => code.trim().toUpperCase());
  const { needed = [], others = [] } = Object.groupBy(rows, (row) =>
    asked.length === 0 || isNeeded(row, asked) ? 'needed' : 'others',
  );
  return { needed, others };
}

function isNeeded(row: SheetRow, asked: readonly string[]): boolean {
  const says = row.says ?? row.yes;
  const procedure = says?.service?.procedure?.code;
  // Codes of one service differ in their last digits: an exam is D0120 or D0150.
  if (procedure) return asked.some((code) => code.slice(0, 3) === procedure.slice(0, 3));
  const words = says?.texts?.[0] ?? '';
  const ofTypes = (says?.service?.types ?? []).flatMap(({ code }) => CODES_OF_TYPES[code] ?? []);
  const ofWords = CODES_OF_WORDS.flatMap(([word, codes]) => (word.test(words) ? [codes] : []));
  const patterns = [...ofTypes, ...ofWords];
  return patterns.length === 0 || patterns.some((pattern) => asked.some((code) => pattern.test(code)));
}

type Answered = Omit<SubmittedCoverage, 'entry'>;

interface ReadSheet {
  /** Null where no row was answered. */
  readonly answered: Answered | null;
  /** A sentence for each row that cannot be read, by its field. */
  readonly faults: Readonly<Record<RowField, string>>;
}

/** What the rows of a sheet say. @param quoteOf the words that are tied to a row. */
export function readSheet(
  sheet: SheetDraft,
  {
    item,
    today,
    quoteOf,
  }: {
    readonly item: AskedPayer;
    readonly today: Date;
    readonly quoteOf: (field: RowField) => string | undefined;
  },
): ReadSheet {
  const faults: Record<RowField, string> = {};
  const benefits: SubmittedBenefit[] = [];
  const about: { network?: 'in' | 'out'; group?: string; order?: Answered['order'] } = {};
  for (const row of rowsOf(sheet, item)) {
    const text = sheet.answers[row.id]?.trim() ?? '';
    const field = rowField(row);
    if (row.reads === 'group_number') {
      if (text !== '' && text !== '-') about.group = text;
    } else if (row.reads === 'network' || row.reads === 'order') {
      const read = text === '' || text === '-' ? undefined : wordOf(row.reads, text);
      if (read === null) faults[field] = row.reads === 'network' ? 'Type in or out.' : 'Type 1, 2 or 3.';
      else if (read === 'in' || read === 'out') about.network = read;
      else if (read !== undefined) about.order = read;
    } else {
      const read = readAnswer(row.reads, text, today);
      if (read.kind === 'unreadable') faults[field] = read.sentence;
      const benefit = benefitOf(row, read);
      const quote = quoteOf(field);
      if (benefit) benefits.push({ ...benefit, ...(quote !== undefined && { quote }) });
    }
  }
  const { network, group, order } = about;
  if (benefits.length === 0 && group === undefined && order === undefined) return { answered: null, faults };
  return {
    answered: {
      ...(group !== undefined && { group_number: group }),
      ...(order !== undefined && { order }),
      benefits: benefits.map((benefit) => ({ ...benefit, ...(network !== undefined && { network }) })),
    },
    faults,
  };
}

/** What was read of a row, for the person who typed it; empty for what cannot be read. */
export function rowText(row: SheetRow, typed: string, today: Date): string {
  const text = typed.trim();
  if (row.reads !== 'group_number' && row.reads !== 'network' && row.reads !== 'order')
    return answerText(readAnswer(row.reads, text, today));
  if (text === '') return 'Not answered';
  if (text === '-') return 'Does not apply';
  if (row.reads === 'group_number') return text;
  const word = wordOf(row.reads, text);
  if (word === null) return '';
  if (row.reads === 'order') return `${word} payer`;
  return word === 'in' ? 'in network' : 'out of network';
}

/** A code that is answered Not covered, and rows of the sheet that say how it is covered. */
interface Contradiction {
  readonly code: string;
  readonly rows: readonly SheetRow[];
}

/** What a coverage says twice, each time otherwise: a code is not covered, and paid for twice a year. */
export function contradictionsOf(
  { sheet, codes }: { readonly sheet: SheetDraft; readonly codes: Readonly<Record<string, string>> },
  item: AskedPayer,
  today: Date,
): Contradiction[] {
  const rows = rowsOf(sheet, item);
  return Object.entries(codes).flatMap(([code, answer]) => {
    if (answer !== 'not_covered') return [];
    const others = rows.filter((row) => {
      const benefit = benefitIn(row, sheet, today);
      return benefit?.service?.procedure?.code === code.toUpperCase() && benefit.kind !== 'not_covered';
    });
    return others.length === 0 ? [] : [{ code, rows: others }];
  });
}

function benefitIn(row: SheetRow, { answers }: SheetDraft, today: Date): SubmittedBenefit | null {
  if (row.reads === 'group_number' || row.reads === 'network' || row.reads === 'order') return null;
  const read = readAnswer(row.reads, answers[row.id] ?? '', today);
  return read.kind === 'does_not_apply' ? null : benefitOf(row, read);
}

const ORDERS = new Map([
  ['1', 'primary' as const],
  ['2', 'secondary' as const],
  ['3', 'tertiary' as const],
]);

/** Null for what is no such word. */
function wordOf(reads: 'network' | 'order', text: string) {
  if (reads === 'network') return /^i(n)?$/i.test(text) ? 'in' : /^o(ut)?$/i.test(text) ? 'out' : null;
  const [, place] = /^([123])(?:st|nd|rd)?$/i.exec(text) ?? [];
  return ORDERS.get(place ?? '') ?? null;
}

/** Null where the row was not answered, or not readably. */
function benefitOf(row: SheetRow, read: ReadAnswer): SubmittedBenefit | null {
  const base = row.says ?? (row.no && { ...row.no, texts: [row.label.replace(/: y or n$/, '')] });
  if (!base) return null;
  switch (read.kind) {
    case 'not_answered':
    case 'unreadable':
      return null;
    case 'does_not_apply':
      return { ...base, authorization: null, texts: [...(base.texts ?? []), 'Does not apply.'] };
    case 'yes':
    case 'no':
      return row[read.kind] ?? null;
    case 'said':
      return { ...base, ...read.benefit };
  }
}

/** How the answer of a row that makes a benefit is typed. */
export type AnswerForm = Exclude<SheetAnswer, 'network' | 'group_number' | 'order'>;

/** What a person meant by what they typed into a row. */
type ReadAnswer =
  /** Nothing was typed: it was not answered. */
  | { readonly kind: 'not_answered' }
  | { readonly kind: 'does_not_apply' }
  | { readonly kind: 'yes' | 'no' }
  | { readonly kind: 'said'; readonly benefit: Partial<SubmittedBenefit> }
  | { readonly kind: 'unreadable'; readonly sentence: string };

const DECIMAL = /^\d{1,15}(\.\d{1,6})?$/;

/** `2/y` is two in a calendar year, `1/6m` one in six months. */
const OFTEN = /^(\d{1,3})\s*\/\s*(\d{1,3})?\s*([ymd])$/;

const PERIODS = { y: 'calendar_year', m: 'month', d: 'day' } as const;

/** Reads an answer as it is typed: `$1,500`, `20%`, `2/y`, `3/4/26`. Only a minus says that it does not apply. */
export function readAnswer(form: AnswerForm, text: string, today: Date): ReadAnswer {
  const typed = (form === 'provider' ? text : text.normalize('NFKC')).trim(); // a full-width digit is a digit
  if (typed === '') return { kind: 'not_answered' };
  if (typed === '-') return { kind: 'does_not_apply' };
  switch (form) {
    case 'dollars':
      return number(
        typed.replace(/^\$\s*/, '').replaceAll(/,(?=\d{3}(\D|$))/g, ''),
        'Type dollars: 1500 or 25.50.',
        (amount) => ({
          amount,
        }),
      );
    case 'percent':
      return number(typed.replace(/\s*%$/, ''), 'Type the patient’s percent: 20.', (percent) => ({
        percent,
      }));
    case 'age':
      return number(typed, 'Type the age in years: 19.', (value) => ({
        quantity: { value, unit: 'age_at_most' },
      }));
    case 'months':
      return number(typed.replace(/\s*m$/i, ''), 'Type the months: 12.', (value) => ({
        quantity: { value, unit: 'months' },
      }));
    case 'often':
      return oftenOf(typed.toLowerCase());
    case 'day': {
      // The month first, as this page writes days; what was read is shown next to the field.
      const read = readDate(typed, today);
      const day = read.kind === 'day' ? read.day : read.kind === 'ambiguous' ? read.days[0] : null;
      if (day !== null) return { kind: 'said', benefit: { dates: [{ kind: 'latest_visit', start: day }] } };
      return { kind: 'unreadable', sentence: 'Type a day: 1/31/26, 20260131 or today.' };
    }
    case 'yes_no':
      if (/^y(es)?$/i.test(typed)) return { kind: 'yes' };
      if (/^no?$/i.test(typed)) return { kind: 'no' };
      return { kind: 'unreadable', sentence: 'Type y or n.' };
    case 'provider':
      return {
        kind: 'said',
        benefit: { related: [{ role: 'primary_care_provider', name: typed }] },
      };
  }
}

function number(
  typed: string,
  sentence: string,
  toBenefit: (value: string) => Partial<SubmittedBenefit>,
): ReadAnswer {
  return DECIMAL.test(typed) ? { kind: 'said', benefit: toBenefit(typed) } : { kind: 'unreadable', sentence };
}

function oftenOf(typed: string): ReadAnswer {
  const [, count, many, unit] = OFTEN.exec(typed) ?? [];
  if (count === undefined || (unit !== 'y' && unit !== 'm' && unit !== 'd'))
    return { kind: 'unreadable', sentence: 'Type 2/y for two a year, or 1/6m for one in six months.' };
  const frequency = { count, unit: 'services' as const, period: PERIODS[unit], period_count: many ?? '1' };
  return { kind: 'said', benefit: { frequency: [frequency] } };
}

/** What was read of an answer, for the person who typed it: `$1,500`, `2 a calendar year`, `Mar 4, 2026`. Empty for none. */
function answerText(read: ReadAnswer): string {
  switch (read.kind) {
    case 'not_answered':
      return 'Not answered';
    case 'does_not_apply':
      return 'Does not apply';
    case 'yes':
      return 'Yes';
    case 'no':
      return 'No';
    case 'unreadable':
      return '';
    case 'said':
      return saidText(read.benefit);
  }
}

function saidText({
  amount,
  percent,
  quantity,
  frequency,
  dates,
  related,
}: Partial<SubmittedBenefit>): string {
  const [often] = frequency ?? [];
  const [last] = dates ?? [];
  const [party] = related ?? [];
  if (amount) return DOLLARS.format(Number(amount));
  if (percent) return `${percent} %`;
  if (quantity?.unit === 'age_at_most') return `up to age ${quantity.value}`;
  if (quantity) return `${quantity.value} ${Number(quantity.value) === 1 ? 'month' : 'months'}`;
  if (often?.period) return `${often.count} ${spanText(often.period, often.period_count ?? '1')}`;
  if (last?.start) return dayInWords(last.start);
  return party?.name ?? '';
}

const DOLLARS = new Intl.NumberFormat('en-US', {
  style: 'currency',
  currency: 'USD',
  trailingZeroDisplay: 'stripIfInteger',
});

function spanText(period: string, count: string): string {
  const span = period.replaceAll('_', ' ');
  return count === '1' ? `a ${span}` : `in ${count} ${span}s`;
}
