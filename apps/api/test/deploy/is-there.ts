import { spawnSync } from 'node:child_process';

/** Whether the machine has a program. */
export const isThere = (program: string): boolean =>
  spawnSync(program, ['--version'], { stdio: 'ignore' }).error === undefined;

/** The name of a test that needs a program of the machine: where it is missing, the skipped test says so. */
export const needing = (program: string, name: string): string =>
  isThere(program) ? name : `${name} (NOT RUN: this machine has no ${program})`;
