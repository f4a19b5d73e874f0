import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import type { ConsoleHints } from '@insurance-verification/schema';
import { until } from '@insurance-verification/testing/until';
import { onTestFinished } from 'vitest';
import type { TestService } from '../a-service.ts';
import type { TestSession } from './a-session.ts';

/** `GET /console/events` as a page of this session reads it. */
export interface TestStream {
  readonly answer: IncomingMessage;
  /** Events so far: their names, and of `hints` what they say, summed. */
  readonly names: () => string[];
  readonly hints: () => ConsoleHints;
  readonly hasEnded: () => boolean;
  /** Waits for a hint of this kind, and forgets all so far. */
  readonly untilHinted: (kind: keyof ConsoleHints) => Promise<void>;
}

export async function anEventStream(
  service: TestService,
  { asked }: Pick<TestSession, 'asked'>,
): Promise<TestStream> {
  const request = get(`${service.url}/console/events`, { headers: asked.headers, agent: false });
  const [answer] = (await once(request, 'response')) as [IncomingMessage];
  onTestFinished(() => void request.destroy());
  let text = '';
  let hasEnded = false;
  answer.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
  answer.once('close', () => (hasEnded = true));
  answer.on('error', () => undefined); // a killed service cuts it
  const events = () => [...text.matchAll(/event: (\w+)\ndata: (.*)\n\n/g)];
  const hints = () => {
    const sum: ConsoleHints = {};
    for (const [, name, data = ''] of events())
      if (name === 'hints')
        for (const [kind, count] of Object.entries(JSON.parse(data) as ConsoleHints))
          sum[kind as keyof ConsoleHints] = (sum[kind as keyof ConsoleHints] ?? 0) + count;
    return sum;
  };
  return {
    answer,
    names: () => events().map(([, name = '']) => name),
    hints,
    hasEnded: () => hasEnded,
    untilHinted: async (kind) => {
      await until(`${kind} is hinted`, () => hints()[kind] !== undefined);
      text = '';
    },
  };
}
