import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

// Every package's tests from the root: `pnpm vitest run work.test -t lease`. It stands in a folder because the top
// level holds what the whole workspace is, and nothing else.
export default defineConfig({
  test: {
    update: 'none', // a golden file that is not there is a fault; `-u` writes it
    root: fileURLToPath(new URL('..', import.meta.url)),
    projects: ['packages/*/vitest.config.ts', 'apps/*/vitest.config.ts', '.ci/vitest.config.ts'],
  },
});
