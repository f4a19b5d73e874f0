/**
 * The environment that a test's program inherits; nothing else of this machine's goes in. What Node compiled is kept for
 * the next one (`run-folder.ts`): the tests start hundreds, and it halves the start of each.
 */
export function inherited(): Record<string, string> {
  const { PATH = '', NODE_COMPILE_CACHE: cache } = process.env;
  return { PATH, ...(cache !== undefined && { NODE_COMPILE_CACHE: cache }) };
}
