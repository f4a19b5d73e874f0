import type { LogStream } from '../telemetry/log-stream.ts';

/**
 * The log as a person at a terminal reads it: time, level and message, then the rest on the same line. Only a terminal
 * has it, so the package is loaded here; a pipe or a file gets JSON.
 */
export async function readableLog(stream: LogStream): Promise<Pick<LogStream, 'write' | 'lostCount'>> {
  const { prettyFactory } = await import('pino-pretty');
  const readable = prettyFactory({
    translateTime: 'SYS:HH:MM:ss',
    singleLine: true,
    errorLikeObjectKeys: [], // ours is no stack to unfold: it stays on its line
  });
  return {
    write: (line) => stream.write(readable(line)),
    get lostCount() {
      return stream.lostCount;
    },
  };
}
