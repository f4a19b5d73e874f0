import { fileURLToPath } from 'node:url';

/** How Node runs the source of a program of this workspace. */
export const runSource = (program: URL): string[] => [
  '--conditions=@insurance-verification/source',
  fileURLToPath(program),
];
