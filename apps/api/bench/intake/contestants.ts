import { spawnSync } from 'node:child_process';
import { type Command, SERVICE } from '../ground/start-process.ts';
import type { Ground } from '../part.ts';

/** A server that accepts the same requests. */
export interface Contestant {
  /** Its name in the figures; of a version before, the commit. */
  readonly name: string;
  readonly program: string | Command;
}

/** Returns the service and the versions before. */
export const servicesOf = ({ before }: Ground): readonly Contestant[] => [
  { name: 'service', program: SERVICE },
  ...before.map(({ commit, command }) => ({ name: commit, program: command })),
];

/** Returns the contestants of a part; FastAPI only if requested and able to run. */
export function withFastapi(ground: Ground, ours: readonly Contestant[]): readonly Contestant[] {
  const { settings, say } = ground;
  if (!settings.withFastapi) return ours;
  const missing = missingForFastapi();
  if (missing === null) return [...ours, { name: 'fastapi', program: 'bench/intake/fastapi-server.py' }];
  say(`FastAPI is left out: ${missing}`);
  return ours;
}

/** Null when Python can run the comparison; otherwise what is missing and how to install it. */
function missingForFastapi(): string | null {
  const { error, status } = spawnSync('python3', ['-c', 'import fastapi, asyncpg, uvicorn'], {
    stdio: 'ignore',
  });
  if (error !== undefined) return 'there is no python3 on the PATH';
  if (status === 0) return null;
  return "python3 lacks its packages: python3 -m pip install fastapi asyncpg 'uvicorn[standard]'";
}
