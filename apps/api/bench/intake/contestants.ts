import { SERVICE } from '../ground/start-process.ts';
import type { Ground } from '../part.ts';
import { missingForFastapi } from './find-fastapi.ts';

/** A server that accepts the same requests. */
export interface Contestant {
  readonly name: 'floor' | 'service' | 'fastapi';
  readonly file: string;
}

/** The contestants; FastAPI only if requested and able to run. */
export function contestantsOf({ settings, say }: Ground): readonly Contestant[] {
  const ours: readonly Contestant[] = [
    { name: 'floor', file: 'bench/intake/floor-server.ts' },
    { name: 'service', file: SERVICE },
  ];
  if (!settings.withFastapi) return ours;
  const missing = missingForFastapi();
  if (missing === null) return [...ours, { name: 'fastapi', file: 'bench/intake/fastapi-server.py' }];
  say(`intake: FastAPI is left out: ${missing}`);
  return ours;
}
