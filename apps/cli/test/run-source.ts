import { fileURLToPath } from 'node:url';

/** How Node runs the source of a program of this workspace. */
export const runSource = (program: URL): string[] => [
  '--conditions=@insurance-verification/source',
  fileURLToPath(program),
];

/**
 * The environment that test programs inherit; nothing else of this machine's goes in. The compile cache halves the
 * start of a process (0.45 s to 0.24 s where measured), and the tests start dozens.
 */
export const inherited = (): Record<string, string> => ({
  PATH: process.env['PATH'] ?? '',
  NODE_COMPILE_CACHE: fileURLToPath(new URL('../node_modules/.cache/compiled', import.meta.url)),
});
