import { spawnSync } from 'node:child_process';

/** Whether the machine has a program. */
export const isThere = (program: string): boolean =>
  spawnSync(program, ['--version'], { stdio: 'ignore' }).error === undefined;

/** A suffix for the name of a test that needs programs: names the missing ones in a skipped test. */
export const notRunWithout = (...programs: string[]): string => {
  const missing = programs.filter((program) => !isThere(program));
  return missing.length === 0 ? '' : ` (NOT RUN: this machine has no ${missing.join(', ')})`;
};
