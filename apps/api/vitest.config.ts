import { configDefaults, defineConfig } from 'vitest/config';

const conditions = ['@insurance-verification/source'];

export default defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions } },
  test: {
    // Half of a file's time is waiting; and what a fork loads again for each file is a third of its CPU.
    maxWorkers: 2,
    isolate: false,
    globalSetup: [
      '../../packages/testing/src/run-folder.ts',
      '../../packages/testing/src/built-console.ts',
      '../../packages/store/src/testing/global-setup.ts',
    ],
    setupFiles: ['../../packages/testing/src/file-folder.ts'],
    include: ['src/**/*.test.ts', 'test/**/*.test.ts'],
    exclude: [...configDefaults.exclude, 'test/deploy/**'], // `test:deploy`
    // Tests wait on conditions; these only end one that waits in vain.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    expect: { poll: { timeout: 15_000 } }, // a second by default
  },
});
