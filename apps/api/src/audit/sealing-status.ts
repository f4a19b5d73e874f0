import type { Difference, SealedLines } from '@insurance-verification/store';
import type { Gauge } from 'prom-client';

/** Why nothing is sealed. */
export type SealingStop =
  /** The database is not what the file of seals has. */
  | ({ readonly cause: 'differs' } & Difference)
  /** The newest seal was changed. */
  | { readonly cause: 'damaged'; readonly number: number };

/** What stops the sealing, as this process found it when it last tried. */
export interface SealingStatus {
  readonly stopped: () => (SealingStop & { readonly since: Date }) | null;
  /** Takes what came of a try; one that another process was busy with says nothing. */
  readonly note: (sealed: SealedLines) => void;
}

export function createSealingStatus(gauge: Gauge<'cause'>): SealingStatus {
  let stopped: (SealingStop & { readonly since: Date }) | null = null;
  const show = () => {
    for (const cause of ['differs', 'damaged'] as const)
      gauge.set({ cause }, stopped?.cause === cause ? 1 : 0);
  };
  show();
  return {
    stopped: () => stopped,
    note: (sealed) => {
      if (sealed.kind === 'busy') return;
      const stop = stopOf(sealed);
      stopped = stop && { ...stop, since: stopped?.cause === stop.cause ? stopped.since : new Date() };
      show();
    },
  };
}

function stopOf(sealed: SealedLines): SealingStop | null {
  if (sealed.kind === 'differs') {
    const { fault, of, number } = sealed;
    return { cause: 'differs', fault, of, number };
  }
  return sealed.kind === 'damaged' ? { cause: 'damaged', number: sealed.number } : null;
}
