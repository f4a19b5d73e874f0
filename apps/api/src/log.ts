import { type DestinationStream, type Logger, pino } from 'pino';

export type Log = Logger;

/**
 * Structured lines on stdout. What is logged is chosen, not filtered: ids, counts, classes and codes. Bodies, query
 * strings, addresses and error texts of drivers hold patients' data, so no code here hands them to the log.
 */
export function createLog(level: string, destination: DestinationStream = bufferedStdout()): Log {
  const options = {
    level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    serializers: { err: describeError },
  };
  return pino(options, destination);
}

/** Milliseconds after which a line that waits for company is written all the same. */
const FLUSH_MS = 200;

/**
 * Lines written together, 12 KB at a time: a system call a line cost 8 % of a request, one for 4 KB still 4 %. What
 * waits is written when the process ends; a SIGKILL may lose the last lines, never a request.
 */
function bufferedStdout(): DestinationStream {
  const stdout = pino.destination({ dest: 1, sync: false, minLength: 12_288 });
  setInterval(() => stdout.flush(), FLUSH_MS).unref();
  return stdout;
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
