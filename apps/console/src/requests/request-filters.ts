import { RequestState, VerificationSource } from '@insurance-verification/schema';
import * as z from 'zod';
import type { Outputs } from '../api/api.ts';
import { AGE_CHOICES, spanOf } from '../look/form/age.ts';
import type { Filter } from '../look/form/filter-form.tsx';
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
  since: text(),
  until: text(),
  cursor: text(),
});
export type Filters = z.infer<typeof Filters>;

/** The filters of the list; the account only for people who see several. */
export function fieldsOf(
  payers: Outputs['payers']['list']['items'],
  seesAll: boolean,
): readonly Filter<Exclude<keyof Filters, 'cursor'>>[] {
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
    ...(seesAll ? [{ name: 'account_id', label: 'Account', hint: 'acct_…' } as const] : []),
    { name: 'error_reason', label: 'Reason', hint: 'member_not_found', rare: true },
    { name: 'since', label: 'Received since', kind: 'time', rare: true },
    { name: 'until', label: 'Received before', kind: 'time', rare: true },
  ];
}

/** The input of the list operation for these filters. */
export function inputOf({ age, since, until, cursor: _cursor, ...filters }: Filters) {
  return { ...filters, ...spanOf(age, { since, until }) };
}
