import { AttemptOutcome, DeliveryStatus } from '@insurance-verification/schema';
import * as z from 'zod';
import { AGE_CHOICES, spanOf } from '../look/form/age.ts';
import type { Filter } from '../look/form/filter-form.tsx';
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
  cursor: text(),
});
export type Filters = z.infer<typeof Filters>;

export const FIELDS: readonly Filter<Exclude<keyof Filters, 'cursor'>>[] = [
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
  { name: 'host', label: 'Host', hint: 'receiver.example' },
  { name: 'status_code', label: 'Answer code', hint: '500', kind: 'number', rare: true },
  { name: 'reason', label: 'Reason', hint: 'webhook_exhausted', rare: true },
  { name: 'attempts_min', label: 'Attempts, at least', kind: 'number', rare: true },
  { name: 'account_id', label: 'Account', hint: 'acct_…', rare: true },
  { name: 'request_id', label: 'Request', hint: 'req_…', rare: true },
  { name: 'since', label: 'Accepted since', kind: 'time', rare: true },
  { name: 'until', label: 'Accepted before', kind: 'time', rare: true },
];

/** The input of `deliveries.list` for these filters. */
export function inputOf({
  age,
  since,
  until,
  cursor: _cursor,
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
