import type { SheetAnswer, SubmittedBenefit } from '@insurance-verification/schema';
import { dayInWords, readDate } from '../../look/form/read-date.ts';

/** How the answer of a row that makes a benefit is typed. */
export type AnswerForm = Exclude<SheetAnswer, 'network' | 'group_number' | 'order'>;

/** What a person meant by what they typed into a row. */
export type ReadAnswer =
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
  benefitOf: (value: string) => Partial<SubmittedBenefit>,
): ReadAnswer {
  return DECIMAL.test(typed) ? { kind: 'said', benefit: benefitOf(typed) } : { kind: 'unreadable', sentence };
}

function oftenOf(typed: string): ReadAnswer {
  const [, count, many, unit] = OFTEN.exec(typed) ?? [];
  if (count === undefined || (unit !== 'y' && unit !== 'm' && unit !== 'd'))
    return { kind: 'unreadable', sentence: 'Type 2/y for two a year, or 1/6m for one in six months.' };
  const frequency = { count, unit: 'services' as const, period: PERIODS[unit], period_count: many ?? '1' };
  return { kind: 'said', benefit: { frequency: [frequency] } };
}

/** What was read of an answer, for the person who typed it: `$1,500`, `2 a calendar year`, `Mar 4, 2026`. Empty for none. */
export function answerText(read: ReadAnswer): string {
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
