import { spawnSync } from 'node:child_process';
import { type Command, SERVICE } from '../ground/start-process.ts';
import type { Ground } from '../part.ts';

/** A server that accepts the same requests. */
export interface Contestant {
  readonly name: 'floor' | 'service' | 'before' | 'fastapi';
  readonly program: string | Command;
}

/** The contestants; the version before and FastAPI only if requested and able to run. */
export function contestantsOf({ settings, before, say }: Ground): readonly Contestant[] {
  const ours: readonly Contestant[] = [
    { name: 'floor', program: 'bench/intake/floor-server.ts' },
    { name: 'service', program: SERVICE },
    ...(before ? [{ name: 'before', program: before.command } as const] : []),
  ];
  if (!settings.withFastapi) return ours;
  const missing = missingForFastapi();
  if (missing === null) return [...ours, { name: 'fastapi', program: 'bench/intake/fastapi-server.py' }];
  say(`intake: FastAPI is left out: ${missing}`);
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
