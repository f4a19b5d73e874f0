/**
 * The environment that a test's program inherits, and nothing else of this machine's. It has Node's compile cache
 * (`run-folder.ts`), which halves the start of each of the hundreds of programs that tests start.
 */
export function inherited(): Record<string, string> {
  const { PATH = '', NODE_COMPILE_CACHE: cache } = process.env;
  return { PATH, ...(cache !== undefined && { NODE_COMPILE_CACHE: cache }) };
}
