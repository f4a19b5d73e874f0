import type { LogStream } from './log-stream.ts';

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
