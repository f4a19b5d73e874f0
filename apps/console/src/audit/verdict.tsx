import { useMutation } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { api, type Outputs } from '../api/api.ts';
import { CopyButton } from '../look/button.tsx';
import { FailureNotice, Notice } from '../look/notice.tsx';
import { IdCell } from '../look/table.tsx';
import { Time } from '../look/time.tsx';

interface VerdictProps {
  readonly verification: ReturnType<typeof useVerification>;
  /** The estimated number of lines to verify. */
  readonly lineCount: number | undefined;
}

/** The progress of a verification, then its result. */
export function Verdict({ verification, lineCount = 0 }: VerdictProps) {
  const { isPending, error, soFar, found } = verification;
  if (isPending)
    return (
      <p role="status">
        <progress aria-label="Lines verified" value={soFar.lineCount} max={Math.max(lineCount, 1)} />{' '}
        {lines(soFar.lineCount)} of {lines(lineCount)} so far …
      </p>
    );
  if (error) return <FailureNotice error={error} />;
  if (found === undefined) return null;
  if (
    found.badRange === null &&
    found.badTables.length + found.missingHolds.length + found.altered.length > 0
  )
    return (
      <Notice tone="bad">
        <Altered found={found} />
        <p>As they show themselves, {whole(found)}</p>
      </Notice>
    );
  return found.badRange === null ? (
    <Notice tone="good">
      <p>{whole(found)}</p>
      {found.dropped.map((drop) => (
        <Drop key={drop.drop} {...drop} />
      ))}
    </Notice>
  ) : (
    <Notice tone="bad">
      <p>{sentenceAbout(found.badRange)}</p>
      <Altered found={found} />
      {found.dropped.map((drop) => (
        <Drop key={drop.drop} {...drop} />
      ))}
      <p>
        {found.sealCount > 0 && `Before it ${whole(found)} `}Keep the database as it is, take a copy of it,
        and look with its help in a backup from before. <a href="/console/help/seals">What to do</a>
      </p>
    </Notice>
  );
}

/** Tables that are, or were, not as the schema makes them, and legal holds that are gone from theirs. */
function Altered({ found: { badTables, missingHolds, altered } }: Readonly<{ found: Verified }>) {
  return (
    <>
      {missingHolds.map(({ hold_id: id, placed_at: at }) => (
        <p key={id}>
          The legal hold <code>{id}</code>, placed <Time at={at} />, was not ended by anybody, and its row in
          the database is gone or altered. The service still keeps what it held.
        </p>
      ))}
      {badTables.map(({ table, fault }) => (
        <p key={`${table} ${fault}`}>
          The table <code>{table}</code> {FAULTS_OF_TABLES[fault]}
        </p>
      ))}
      {altered.map(({ first_seal: first, last_seal: last, tables: seen }) => (
        <p key={first}>
          {first === last ? `Seal ${grouped(first)} was` : `Seals ${grouped(first)} to ${grouped(last)} were`}{' '}
          made while tables were not as the service makes them: <code>{seen.join(', ')}</code>. Lines may have
          been kept from being written.
        </p>
      ))}
    </>
  );
}

const FAULTS_OF_TABLES: Record<Verified['badTables'][number]['fault'], string> = {
  not_plain: 'is not the plain table that the service makes.',
  row_security: 'has row security on: it may leave rows out.',
  policies: 'has policies: it may leave rows out.',
  rules: 'has rules: what is written or read may be something else.',
  trigger_off: 'does not refuse changes: its trigger is off, gone or another.',
  other_trigger: 'has a trigger that the service does not make.',
};

/** The dropped months: which lines they had, and the hash of the archive that holds them. */
function Drop(drop: AuditDrop) {
  const { first_seal: first, last_seal: last } = drop;
  return (
    <p>
      Lines {grouped(drop.first_id)} to {grouped(drop.last_id)} ({lines(drop.line_count)} of {drop.month})
      were dropped on <Time at={drop.dropped_at} /> by {drop.dropped_by}, sealed as{' '}
      {first === last ? `seal ${grouped(first)}` : `seals ${grouped(first)} to ${grouped(last)}`}. Their
      archive has the SHA‑256{' '}
      <IdCell>
        <code title={drop.archive_sha256}>{drop.archive_sha256.slice(0, 10)}…</code>
        <CopyButton text={drop.archive_sha256} name="the SHA-256 of the archive" />
      </IdCell>
    </p>
  );
}

const grouped = (number: number | string) => Number(number).toLocaleString('en-US');

const lines = (count: number) => `${count.toLocaleString('en-US')} ${count === 1 ? 'line' : 'lines'}`;

const whole = ({ lineCount, sealCount }: Verified) =>
  `${lines(lineCount)} in ${sealCount.toLocaleString('en-US')} ${sealCount === 1 ? 'seal' : 'seals'} ${lineCount === 1 ? 'is as it was' : 'are as they were'} written.`;

/** One sentence for the first bad range. */
function sentenceAbout({
  fault,
  seal,
  first_id: first,
  last_id: last,
  sealed_count: sealed,
  found_count: found,
}: BadRange) {
  const range = last === null ? `the lines from ${first} on` : `the lines ${first} to ${last}`;
  const counts = `Of ${range} ${sealed ?? 0} were sealed, ${found ?? 0} are there.`;
  const sentences: Record<BadRange['fault'], string> = {
    missing_seal: `Seal ${seal} is gone, of ${range}.`,
    forged: `Seal ${seal}, of ${range}, is not what its key signed: somebody changed it.`,
    unknown_key: `Seal ${seal}, of ${range}, is signed by none of this service’s keys.`,
    broken_chain: `Seal ${seal}, of ${range}, does not follow from the one before: one of the two was made again.`,
    lines_removed: `Lines were removed. ${counts}`,
    lines_added: `Lines were added. ${counts}`,
    lines_changed: `Of ${range}, at least one is not as it was written.`,
    drop_forged: `The record that ${range} were dropped is not what its key signed, or is another log’s: somebody made or changed it.`,
    drop_unknown_key: `The record that ${range} were dropped is signed by none of this service’s keys.`,
    lines_left: `The lines of seal ${seal}, ${first} to ${last}, are signed off as dropped, and ${lines(found ?? 0)} of them ${found === 1 ? 'is' : 'are'} there. The drop is under way or broke off; or somebody put them back.`,
  };
  return sentences[fault];
}

type BadRange = NonNullable<Outputs['audit']['verify']['bad_range']>;
type AuditDrop = Outputs['audit']['verify']['dropped'][number];

/** The progress of the verification. */
interface Verified {
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
