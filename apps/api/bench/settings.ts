/** The limits of a run. */
export interface Settings {
  /** The approximate length of each measurement in a round. */
  readonly seconds: number;
  /** How often intake and queued deliveries alternate between the contestants. */
  readonly rounds: number;
  readonly connectionCounts: readonly number[];
  readonly withFastapi: boolean;
  readonly withPeers: boolean;
  /** Commits to compare with. */
  readonly before: readonly string[];
}

/** Reads the bench's own variables; returns a sentence when one is not a positive number. */
export function readSettings(env: Readonly<Record<string, string | undefined>>): Settings | string {
  const {
    BENCH_SECONDS: seconds = '5',
    BENCH_ROUNDS: rounds = '10',
    BENCH_CONNECTIONS: connections = '16,64',
  } = env;
  const given = {
    BENCH_SECONDS: [seconds],
    BENCH_ROUNDS: [rounds],
    BENCH_CONNECTIONS: connections.split(','),
  };
  for (const [name, words] of Object.entries(given)) {
    const wrong = words.find((word) => !(Number(word) > 0 && Number.isFinite(Number(word))));
    if (wrong !== undefined) return `${name}: "${wrong}" is no number above 0, such as 5.`;
  }
  return {
    seconds: Number(seconds),
    rounds: Math.ceil(Number(rounds)),
    connectionCounts: given.BENCH_CONNECTIONS.map((word) => Math.ceil(Number(word))),
    withFastapi: env['BENCH_FASTAPI'] === '1',
    withPeers: env['BENCH_PEERS'] === '1',
    before: (env['BENCH_BEFORE'] ?? '').split(',').filter((name) => name !== ''),
  };
}
