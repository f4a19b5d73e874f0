import type { Batch } from '@insurance-verification/schema';
import { fields } from '../terminal/table.ts';

/** A batch for a person, a line for each fact that it has. */
export function batchFields({
  batch_id: id,
  label,
  mode,
  state,
  outcome,
  counters,
  ...times
}: Batch): string[] {
  return fields([
    ['batch_id', id],
    ...(label === null ? [] : [['label', label] as const]),
    ['mode', mode],
    ['state', state],
    ...(outcome === null ? [] : [['answered of its rows', outcome] as const]),
    ['received_at', times.received_at],
    ...(times.ended_at === null ? [] : [['ended_at', times.ended_at] as const]),
    ...Object.entries(counters),
  ]);
}
