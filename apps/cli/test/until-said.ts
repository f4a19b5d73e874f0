import type { ChildProcess } from 'node:child_process';
import type { Readable } from 'node:stream';

/** The first match in a process's output stream. @throws when the process ends first. */
export async function untilSaid(
  child: ChildProcess,
  stream: Readable,
  pattern: RegExp,
): Promise<RegExpExecArray> {
  return new Promise((resolve, reject) => {
    let said = '';
    stream.setEncoding('utf8').on('data', (text: string) => {
      said += text;
      const match = pattern.exec(said);
      if (match) resolve(match);
    });
    child.once('error', reject);
    child.once('close', (code) =>
      reject(new Error(`Ended (${code}) before it said ${String(pattern)}:\n${said}`)),
    );
  });
}
