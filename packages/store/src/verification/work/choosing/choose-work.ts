import { type RawBuilder, sql } from 'kysely';
import type { Pool, Route } from '../../../tables/route.ts';
import { askedQueuesFunction } from './asked-queues.sql.ts';
import { chooseWorkFunction } from './choose-work.sql.ts';
import type { WorkableQueue } from './workable-queues.ts';

interface AskedQueues {
  readonly queues: readonly WorkableQueue[];
  readonly routes: readonly Route[];
  readonly pool: Pool;
}

export interface WorkChoice extends AskedQueues {
  readonly limit: number;
  /** A repeated try looks at more accounts. */
  readonly isFirstTry: boolean;
  /**
   * Extra rows to look at beyond the limit, since concurrent claims may be leasing the first ones; per account, an
   * eighth.
   */
  readonly spareCount: number;
}

const SMALLEST_SLOT = -2_147_483_648;

const chooseWorkName = sql.raw(chooseWorkFunction.name);
const askedQueuesName = sql.raw(askedQueuesFunction.name);

/** The call of `choose_work`: requests to try to lease, in working order. */
export function chooseWork(choice: WorkChoice): RawBuilder<unknown> {
  const { limit, spareCount, isFirstTry } = choice;
  const pivot = Math.floor(Math.random() * (2 ** 32 - 1)) + SMALLEST_SLOT + 1;
  const isNarrow = limit === 1 && isFirstTry;
  return sql`${chooseWorkName}(${listsOf(choice)}, ${limit + spareCount}, ${limit + Math.ceil(spareCount / 8)},
    ${isNarrow}, ${pivot})`;
}

/** The call of `asked_queues`. */
export function askedQueues(asked: AskedQueues): RawBuilder<unknown> {
  return sql`${askedQueuesName}(${listsOf(asked)})`;
}

function listsOf({ queues, routes, pool }: AskedQueues): RawBuilder<unknown> {
  const capByPayer = new Map(routes.map((route) => [route.payerId, route.inFlightCountMax]));
  return sql`${queues.map(({ payerId }) => payerId)}::text[],
    ${queues.map(({ queue }) => queue)}::text[],
    ${queues.map(({ channel }) => channel.source)}::text[],
    ${queues.map(({ channel }) => channel.attemptCountMax)}::int[],
    ${queues.map(({ channel }) => channel.secondsMax)}::float8[],
    ${queues.map(({ payerId }) => capByPayer.get(payerId) ?? null)}::int[], ${pool}`;
}
