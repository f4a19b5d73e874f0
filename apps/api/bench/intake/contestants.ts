import { type Command, SERVICE } from '../ground/start-process.ts';
import type { Ground } from '../part.ts';
import { missingForFastapi } from './find-fastapi.ts';

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
