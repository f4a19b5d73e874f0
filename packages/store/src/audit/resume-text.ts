import { fromBase64, type Hash, toBase64 } from './tree.ts';

/** The statement that sealing continues after a seal although the file has others; signed by the key that seals. */
export interface ResumeStatement {
  /** The log's name, as its seals state it. */
  readonly origin: string;
  /** The seal after which it continues; 0 before the first. */
  readonly number: number;
  /** SHA-256 of that seal's note; null with 0. */
  readonly previous: Hash | null;
  /** The last seal of the file, which is given up with all after `number`. */
  readonly givenUp: number;
  readonly at: Date;
  /** Who resumed it, as they call themselves. */
  readonly by: string;
  readonly reason: string;
}

/** The text of its note. Its second line is no number, so it never passes for a seal's. */
export function resumeText(resume: ResumeStatement): string {
  return [
    resume.origin,
    `resume ${resume.number}`,
    `previous ${resume.previous === null ? 'none' : toBase64(resume.previous)}`,
    `given-up ${resume.givenUp}`,
    `time ${resume.at.toISOString()}`,
    `by ${resume.by}`,
    `reason ${resume.reason}`,
    '',
  ].join('\n');
}

/** Whether a reason fits into the one line that it has. */
export const isResumeReason = (reason: string): boolean =>
  /^[^\p{C}\p{Z}](?:[^\p{C}]{0,298}[^\p{C}\p{Z}])?$/u.test(reason);

const RESUME_TEXT = new RegExp(
  [
    String.raw`^(\S+)`,
    String.raw`resume (\d{1,15})`,
    'previous (?:none|([A-Za-z0-9+/]{43}=))',
    String.raw`given-up (\d{1,15})`,
    String.raw`time (\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z)`,
    'by ([^\\n]+)',
    'reason ([^\\n]+)\n$',
  ].join(String.raw`\n`),
);

/** Undefined for any other text. */
export function readResumeText(text: string): ResumeStatement | undefined {
  const found = RESUME_TEXT.exec(text);
  if (!found) return undefined;
  const [, origin = '', number, previous, givenUp, time = '', by = '', reason = ''] = found;
  const at = new Date(time);
  if (Number.isNaN(at.getTime())) return undefined;
  return {
    origin,
    number: Number(number),
    previous: previous === undefined ? null : fromBase64(previous),
    givenUp: Number(givenUp),
    at,
    by,
    reason,
  };
}
