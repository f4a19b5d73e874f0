import { ErrorReason, RequestState, VerificationSource } from '@insurance-verification/schema';
import * as z from 'zod';
import type { Outputs } from '../api/api.ts';
import type { Filter } from '../filters/filter.ts';
import { AGE_CHOICES, spanOf } from '../look/form/age.ts';
import { PLACE } from '../look/table/pager.tsx';
import { reasonChoices } from '../words/reason-words.ts';
import { CHANNELS, STATES } from '../words/request-words.ts';

const text = () => z.string().min(1).optional();

/** The query parameters of the page. None holds patient data; the search term is kept out of the address. */
export const Filters = z.object({
  state: RequestState.optional(),
  payer_id: text(),
  channel: VerificationSource.optional(),
  age: text(),
  account_id: text(),
  error_reason: text(),
  late: z.literal('yes').optional(),
  since: text(),
  until: text(),
  order: z.literal('oldest').optional(),
  ...PLACE,
});
export type Filters = z.infer<typeof Filters>;

/** The filters of the list; the account only for people who see several. */
export function fieldsOf(
  payers: Outputs['payers']['list']['items'],
  seesAll: boolean,
): readonly Filter<Exclude<keyof Filters, 'order' | 'cursor' | 'page'>>[] {
  return [
    {
      name: 'state',
      label: 'State',
      choices: RequestState.options.map((one) => [one, STATES[one].word] as const),
    },
    {
      name: 'payer_id',
      label: 'Payer',
      choices: payers.map(({ payer_id, name }) => [payer_id, name] as const),
    },
    {
      name: 'channel',
      label: 'Channel',
      choices: VerificationSource.options.map((one) => [one, CHANNELS[one]] as const),
    },
    { name: 'age', label: 'Age', choices: AGE_CHOICES },
    ...(seesAll ? [{ name: 'account_id', label: 'Account', kind: 'account', rare: true } as const] : []),
    { name: 'error_reason', label: 'Reason', choices: reasonChoices(ErrorReason.options), rare: true },
    { name: 'late', label: 'Overdue', choices: [['yes', 'Only these']], rare: true },
    { name: 'since', label: 'Received since', kind: 'time', rare: true },
    { name: 'until', label: 'Received before', kind: 'time', rare: true },
  ];
}

/** What of these filters narrows the list. */
export function inputOf({
  age,
  late,
  since,
  until,
  cursor: _cursor,
  page: _page,
  order: _order,
  ...filters
}: Filters) {
  return { ...filters, ...(late && { late: true as const }), ...spanOf(age, { since, until }) };
}
