import { type DestinationStream, type Logger, pino } from 'pino';

export type Log = Logger;

/**
 * Structured lines on stdout. What is logged is chosen, not filtered: ids, counts, classes and codes. Bodies, query
 * strings, addresses and error texts of drivers hold patients' data, so no code here hands them to the log.
 */
export function createLog(level: string, destination: DestinationStream = pino.destination(1)): Log {
  const options = { level, base: null, timestamp: pino.stdTimeFunctions.isoTime, serializers: { err: describeError } };
  return pino(options, destination);
}

/** An error without its message, which may quote a row: its class, its code and where it was thrown. */
function describeError(err: unknown): Record<string, unknown> {
  if (!(err instanceof Error)) return { class: typeof err };
  return {
    class: err.name,
    ...('code' in err && { code: err.code }),
    at: err.stack?.split('\n').filter((line) => /^\s+at /.test(line)).slice(0, 6).map((line) => line.trim()),
    ...(err.cause !== undefined && { cause: describeError(err.cause) }),
  };
}
