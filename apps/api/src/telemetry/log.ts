import { type DestinationStream, type Logger, pino } from 'pino';

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
