import { existsSync } from 'node:fs';
import type { Ground } from '../part.ts';

/** A queue library that a team could use instead. */
export interface Peer {
  readonly name: 'graphile-worker' | 'pg-boss';
  readonly file: string;
}

const PEERS: readonly Peer[] = [
  { name: 'graphile-worker', file: 'bench/peers/graphile-worker.mjs' },
  { name: 'pg-boss', file: 'bench/peers/pg-boss.mjs' },
];

/** The peers to measure: those requested and installed. */
export function peersOf({ settings, say }: Ground): readonly Peer[] {
  if (!settings.withPeers) return [];
  const missing = PEERS.filter(
    ({ name }) => !existsSync(new URL(`../peers/node_modules/${name}/package.json`, import.meta.url)),
  );
  if (missing.length > 0) {
    say(
      'delivery: the peers are left out: they are not installed: npx -y pnpm@12 -C apps/api/bench/peers install --ignore-workspace',
    );
  }
  return missing.length > 0 ? [] : PEERS;
}
