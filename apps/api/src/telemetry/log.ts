import { isDatabaseUnavailable } from '@insurance-verification/store';
import { type DestinationStream, type Logger, pino } from 'pino';
import type { LogStream } from './log-stream.ts';

/** The log, and where its lines go. */
export type Log = Logger & {
  /** Lines that were lost. */
  readonly lostCount: () => number;
};

/** Where lines go; one that may lose lines counts them. */
type Destination = DestinationStream & { readonly lostCount?: number };

/**
 * Structured lines. Their content is chosen, not filtered: ids, counts, classes and codes. Bodies, query strings,
 * callback addresses and error texts of drivers hold patients' data, so no code here logs them. A client's network
 * address appears only on the line of its refusal.
 */
export function createLog(level: string, destination: Destination): Log {
  const options = {
    level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    serializers: { err: describeError },
  };
  return Object.assign(pino(options, destination), { lostCount: () => destination.lostCount ?? 0 });
}

/** An error without its message, which may quote a row: its class, its code and where it was thrown. */
function describeError(err: unknown): Record<string, unknown> {
  if (!(err instanceof Error)) return { class: typeof err };
  return {
    class: err.name,
    ...('code' in err && { code: err.code }),
    at: err.stack
      ?.split('\n')
      .filter((line) => /^\s+at /.test(line))
      .slice(0, 6)
      .map((line) => line.trim()),
    ...(err.cause !== undefined && { cause: describeError(err.cause) }),
  };
}

/** Milliseconds between two lines about an unavailable database: a loop retries each second, for hours if need be. */
const OUTAGE_LINE_MS = 60_000;

/** Warns of a loop's failures; while the database is away, once a minute, and the rest at debug level. */
export function createFailureLog(log: Pick<Log, 'warn' | 'debug'>, sentence: string): (err: unknown) => void {
  let warnedAt = Number.NEGATIVE_INFINITY;
  return (err) => {
    const isOutage = isDatabaseUnavailable(err);
    const isRepeat = isOutage && performance.now() - warnedAt < OUTAGE_LINE_MS;
    if (isOutage && !isRepeat) warnedAt = performance.now();
    log[isRepeat ? 'debug' : 'warn']({ err }, sentence);
  };
}

type Lines = Pick<LogStream, 'write' | 'lostCount'>;

/**
 * The log for a person at a terminal: time, level and message, then the rest on the same line. Only a terminal gets it,
 * so the package is loaded here; a pipe or a file gets JSON, with the notes that a terminal is spared.
 */
export async function readableLog(stream: Lines): Promise<Lines> {
  const { prettyFactory } = await import('pino-pretty');
  const readable = prettyFactory({
    translateTime: 'SYS:HH:MM:ss',
    singleLine: true,
    ignore: 'note', // seven lines, for who verifies a seal
    errorLikeObjectKeys: [], // our errors stay on their line: there is no stack to unfold
  });
  return {
    write: (line) => stream.write(readable(line)),
    get lostCount() {
      return stream.lostCount;
    },
  };
}
