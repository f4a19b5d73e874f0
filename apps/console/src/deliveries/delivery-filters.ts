import { AttemptOutcome, DeliveryStatus, ErrorReason } from '@insurance-verification/schema';
import * as z from 'zod';
import type { Filter } from '../filters/filter.ts';
import { AGE_CHOICES, spanOf } from '../look/form/age.ts';
import { PLACE } from '../look/table/pager.tsx';
import { reasonChoices } from '../words/reason-words.ts';
import { DELIVERIES, SENDINGS } from '../words/request-words.ts';

const text = () => z.string().min(1).optional();
/** The filters as the query string of the address holds them: all are text. */
const number = () =>
  z
    .string()
    .regex(/^\d{1,6}$/)
    .optional();

/** The query parameters that the page reads from its address. */
export const Filters = z.object({
  status: DeliveryStatus.optional(),
  outcome: AttemptOutcome.optional(),
  age: text(),
  host: text(),
  status_code: number(),
  reason: text(),
  attempts_min: number(),
  account_id: text(),
  request_id: text(),
  since: text(),
  until: text(),
  order: z.literal('oldest').optional(),
  ...PLACE,
});
export type Filters = z.infer<typeof Filters>;

const REASON_CHOICES = reasonChoices(ErrorReason.options.filter((slug) => slug.startsWith('webhook_')));

export const FIELDS: readonly Filter<Exclude<keyof Filters, 'order' | 'cursor' | 'page'>>[] = [
  { name: 'host', label: 'Host', hint: 'Host of the receiver', kind: 'search' },
  {
    name: 'status',
    label: 'Status',
    choices: DeliveryStatus.options.map((one) => [one, DELIVERIES[one].word] as const),
  },
  {
    name: 'outcome',
    label: 'Last attempt',
    choices: AttemptOutcome.options.map((one) => [one, SENDINGS[one]] as const),
  },
  { name: 'age', label: 'Age', choices: AGE_CHOICES },
  { name: 'status_code', label: 'Answer code', hint: '500', kind: 'number', rare: true },
  { name: 'reason', label: 'Reason', choices: REASON_CHOICES, rare: true },
  { name: 'attempts_min', label: 'Attempts, at least', kind: 'number', rare: true },
  { name: 'account_id', label: 'Account', kind: 'account', rare: true },
  { name: 'request_id', label: 'Request', hint: 'req_…', rare: true },
  { name: 'since', label: 'Accepted since', kind: 'time', rare: true },
  { name: 'until', label: 'Accepted before', kind: 'time', rare: true },
];

/** What of these filters narrows `deliveries.list`. */
export function inputOf({
  age,
  since,
  until,
  cursor: _cursor,
  page: _page,
  order: _order,
  status_code,
  attempts_min,
  ...filters
}: Filters) {
  return {
    ...filters,
    ...(status_code !== undefined && { status_code: Number(status_code) }),
    ...(attempts_min !== undefined && { attempts_min: Number(attempts_min) }),
    ...spanOf(age, { since, until }),
  };
}
