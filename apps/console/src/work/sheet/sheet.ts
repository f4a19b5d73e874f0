import {
  type SheetName,
  type SheetRow,
  SHEETS,
  type SubmittedBenefit,
  type SubmittedCoverage,
} from '@insurance-verification/schema';
import { answerText, type ReadAnswer, readAnswer } from './read-answer.ts';

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
export interface AskedPayer {
  readonly payer: { readonly sheet: SheetName | readonly SheetRow[] | null };
}

const NO_ROWS: readonly SheetRow[] = [];

/** The rows that the payer alone has; none where it has a named sheet, or no sheet. */
export const ownRowsOf = ({ payer: { sheet } }: AskedPayer): readonly SheetRow[] =>
  typeof sheet === 'string' ? NO_ROWS : (sheet ?? NO_ROWS);

/** The sheet to begin with. */
export function firstSheet({ payer: { sheet } }: AskedPayer): SheetDraft {
  if (sheet === null) return NO_SHEET;
  return { name: typeof sheet === 'string' ? sheet : 'payer', answers: {} };
}

export function rowsOf({ name }: SheetDraft, item: AskedPayer): readonly SheetRow[] {
  if (name === 'none') return NO_ROWS;
  return name === 'payer' ? ownRowsOf(item) : SHEETS[name];
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
export interface Contradiction {
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
