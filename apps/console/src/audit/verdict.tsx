import { FailureNotice } from '../look/state/failure-notice.tsx';
import { Notice } from '../look/state/notice.tsx';
import type { BadRange, useVerification, Verified } from './use-verification.ts';

interface VerdictProps {
  readonly verification: ReturnType<typeof useVerification>;
  /** About how many lines there are to verify. */
  readonly lineCount: number | undefined;
}

/** How far the verification is, and what came of it. */
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
  return found.badRange === null ? (
    <Notice tone="good">{whole(found)}</Notice>
  ) : (
    <Notice tone="bad">
      <p>{tell(found.badRange)}</p>
      <p>
        {found.sealCount > 0 && `Before it ${whole(found)} `}Keep the database as it is, take a copy of it,
        and look with its help in a backup from before. <a href="/console/help/seals">What to do</a>
      </p>
    </Notice>
  );
}

const lines = (count: number) => `${count.toLocaleString('en-US')} ${count === 1 ? 'line' : 'lines'}`;

const whole = ({ lineCount, sealCount }: Verified) =>
  `${lines(lineCount)} in ${sealCount.toLocaleString('en-US')} ${sealCount === 1 ? 'seal' : 'seals'} ${lineCount === 1 ? 'is as it was' : 'are as they were'} written.`;

/** What is wrong, in one sentence. */
function tell({
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
    broken_chain: `Seal ${seal}, of ${range}, does not follow from the one before: one of the two was made anew.`,
    lines_removed: `Lines were removed. ${counts}`,
    lines_added: `Lines were added. ${counts}`,
    lines_changed: `Of ${range}, at least one is not as it was written.`,
  };
  return sentences[fault];
}
