import type { LogStream } from '../telemetry/log-stream.ts';

/**
 * The log for a person at a terminal: time, level and message, then the rest on the same line. Only a terminal gets it,
 * so the package is loaded here; a pipe or a file gets JSON.
 */
export async function readableLog(stream: LogStream): Promise<Pick<LogStream, 'write' | 'lostCount'>> {
  const { prettyFactory } = await import('pino-pretty');
  const readable = prettyFactory({
    translateTime: 'SYS:HH:MM:ss',
    singleLine: true,
    errorLikeObjectKeys: [], // our errors stay on their line: there is no stack to unfold
  });
  return {
    write: (line) => stream.write(readable(line)),
    get lostCount() {
      return stream.lostCount;
    },
  };
}
