import { composePost, openPostConnection } from '../ground/post-connection.ts';

export interface PostLoad {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly connectionCount: number;
  readonly seconds: number;
}

export interface Answers {
  /** Answers with a 2xx. */
  readonly okCount: number;
  readonly failedCount: number;
  /** Milliseconds from the sent request to its complete answer, shortest first. */
  readonly latenciesMs: readonly number[];
}

/** Repeats one POST over several connections, one request at a time on each. */
export async function postLoad({ url, headers, body, connectionCount, seconds }: PostLoad): Promise<Answers> {
  const post = composePost(url, headers, body);
  const endsAt = performance.now() + seconds * 1000;
  const statuses: number[] = [];
  const latenciesMs: number[] = [];

  const drive = async () => {
    const connection = await openPostConnection(url);
    for (let sentAt = performance.now(); sentAt < endsAt;) {
      const status = await connection.send(post);
      const answeredAt = performance.now();
      statuses.push(status);
      latenciesMs.push(answeredAt - sentAt);
      sentAt = answeredAt;
    }
    connection.close();
  };

  await Promise.all(Array.from({ length: connectionCount }, drive));
  const okCount = statuses.filter((status) => status >= 200 && status < 300).length;
  return {
    okCount,
    failedCount: statuses.length - okCount,
    latenciesMs: latenciesMs.toSorted((a, b) => a - b),
  };
}
