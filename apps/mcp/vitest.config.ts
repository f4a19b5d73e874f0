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
      '../../packages/store/src/testing/global-setup.ts',
    ],
    setupFiles: ['../../packages/testing/src/file-folder.ts'],
    // A test starts several processes, on a machine that may be busy.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    expect: { poll: { timeout: 15_000 } }, // a second by default
    exclude: [...configDefaults.exclude, 'test/clients/**'], // `test:clients`
    include: ['src/**/*.test.ts', 'test/**/*.test.ts'],
  },
});
