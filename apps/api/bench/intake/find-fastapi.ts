import { spawnSync } from 'node:child_process';

/** Null when Python can run the comparison; otherwise what is missing and how to install it. */
export function missingForFastapi(): string | null {
  const { error, status } = spawnSync('python3', ['-c', 'import fastapi, asyncpg, uvicorn'], {
    stdio: 'ignore',
  });
  if (error !== undefined) return 'there is no python3 on the PATH';
  if (status === 0) return null;
  return "python3 lacks its packages: python3 -m pip install fastapi asyncpg 'uvicorn[standard]'";
}
