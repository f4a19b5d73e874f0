import type { HeldReason } from '@insurance-verification/schema';
import type { Store } from '../../open-store.ts';

export interface HeldMeasure {
  readonly reason: HeldReason;
  readonly rowCount: number;
  readonly byteCount: number;
}

/** Counts the outputs awaiting an operator, by reason. Reads eight counters, however much is held. */
export async function measureHeldOutputs({ db }: Store): Promise<HeldMeasure[]> {
  const rows = await db
    .selectFrom('held_count')
    .select((count) => [
      'reason',
      count.fn.sum<string>('row_count').as('rows'),
      count.fn.sum<string>('byte_count').as('bytes'),
    ])
    .groupBy('reason')
    .orderBy('reason')
    .execute();
  return rows.map(({ reason, rows: rowCount, bytes: byteCount }) => ({
    reason,
    rowCount: Number(rowCount),
    byteCount: Number(byteCount),
  }));
}
