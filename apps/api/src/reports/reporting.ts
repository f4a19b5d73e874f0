import type { ReportRange } from '@insurance-verification/schema';
import type { LiveKey, Store } from '@insurance-verification/store';
import type { Context } from '../procedure/context/context.ts';
import { refuse } from '../procedure/problem/refuse.ts';
import { headOf, type Range, readRange } from './read-range.ts';

/** What a report asks besides its time and whose it is. */
type Own<Asked> = Omit<Asked, keyof ReportRange>;

type Options<Asked> = Own<Asked> &
  Range & { readonly caller: LiveKey; readonly accountId: string | undefined };

/** One call of a report. */
export interface Call<Asked> {
  readonly ctx: Context & { readonly caller: LiveKey };
  readonly input: Asked;
}

/** The handler of a report over a time: the answer repeats what was asked, on whole hours, before what was found. */
export function reporting<Asked extends ReportRange, Report extends { readonly kind: 'reported' }>(
  read: (store: Store, options: Options<Asked>) => Promise<Report | { readonly kind: 'not_found' }>,
) {
  return async ({ ctx, input }: Call<Asked>) => {
    const { account_id: accountId, from, until, step, zone, ...own } = input;
    const range = readRange({ from, until, step, zone });
    const report = await read(ctx.app.store, { caller: ctx.caller, accountId, ...own, ...range });
    return report.kind === 'reported' ? { ...own, ...headOf(range), ...report } : refuse(report);
  };
}
