import * as z from 'zod';
import type { Me } from '../session/use-me.ts';
import type { Filter } from './filter-bar.tsx';

/** Whether a list shows what belongs to test accounts, in the address of the page; absent: it does not. */
export const TestsShown = z.enum(['shown', 'only']).optional();

/** The switch of a list that goes over all accounts. */
export const TESTS_FILTER = {
  name: 'tests',
  label: 'Tests',
  none: 'Hidden',
  choices: [
    ['shown', 'Shown'],
    ['only', 'Only these'],
  ],
  rare: true,
} as const satisfies Filter<'tests'>;

interface Chosen {
  readonly tests?: z.infer<typeof TestsShown>;
  readonly account_id?: string | undefined;
}

/** Whether a person sees live and test accounts next to each other: others see their own, or those of tests only. */
export const seesBoth = (me: Me | undefined): boolean =>
  me !== undefined && me.scopes.includes('operate') && me.session?.account_mode !== 'test';

/** The mode that a list is asked for: live, unless the switch says otherwise or an account is named. */
export function modeOf(
  { tests, account_id: accountId }: Chosen,
  me: Me | undefined,
): { readonly account_mode?: 'live' | 'test' } {
  if (!seesBoth(me)) return {};
  if (tests === 'only') return { account_mode: 'test' };
  return tests === 'shown' || accountId !== undefined ? {} : { account_mode: 'live' };
}
