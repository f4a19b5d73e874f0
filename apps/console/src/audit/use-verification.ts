import { useMutation } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { api, type Outputs } from '../api/api.ts';

export type BadRange = NonNullable<Outputs['audit']['verify']['bad_range']>;
export type AuditDrop = Outputs['audit']['verify']['dropped'][number];

/** The progress of the verification. */
export interface Verified {
  readonly sealCount: number;
  readonly lineCount: number;
  /** The dropped months, each with its signed record. */
  readonly dropped: readonly AuditDrop[];
  readonly badTables: Outputs['audit']['verify']['bad_tables'];
  /** Legal holds that vanished from the database. */
  readonly missingHolds: Outputs['audit']['verify']['missing_holds'];
  /** Seals that were made while tables were not as the service makes them. */
  readonly altered: Outputs['audit']['verify']['altered_when_sealed'];
  readonly badRange: BadRange | null;
}

const NOTHING: Verified = {
  sealCount: 0,
  lineCount: 0,
  dropped: [],
  badTables: [],
  missingHolds: [],
  altered: [],
  badRange: null,
};

/** Verifies all seals, a range in each call, until the end or the first bad range. Leaving the page stops it. */
export function useVerification() {
  const [soFar, setSoFar] = useState(NOTHING);
  const leaving = useRef<AbortController>(null);
  useEffect(() => () => leaving.current?.abort(), []);
  const { mutate, isPending, error, data } = useMutation({
    mutationFn: async () => {
      leaving.current = new AbortController();
      const { signal } = leaving.current;
      let verified = NOTHING;
      setSoFar(verified);
      for (let cursor: string | undefined; ;) {
        const answer = await api.audit.verify.query({ cursor }, { signal });
        verified = {
          sealCount: verified.sealCount + answer.seal_count,
          lineCount: verified.lineCount + answer.line_count,
          dropped: [...verified.dropped, ...answer.dropped],
          badTables: answer.bad_tables,
          missingHolds: answer.missing_holds,
          altered: [...verified.altered, ...answer.altered_when_sealed],
          badRange: answer.bad_range,
        };
        setSoFar(verified);
        if (answer.next_cursor === null) return verified;
        cursor = answer.next_cursor;
      }
    },
  });
  return { start: () => mutate(), isPending, error, soFar, found: isPending ? undefined : data };
}
