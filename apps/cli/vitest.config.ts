import { defineConfig } from 'vitest/config';

const conditions = ['@insurance-verification/source'];

export default defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions } },
  test: {
    // Half of a file's time is waiting; and what a fork loads anew for each file is a third of its CPU.
    maxWorkers: 2,
    isolate: false,
    globalSetup: ['../../packages/store/src/testing/global-setup.ts'],
    testTimeout: 30_000, // a test starts several processes, on a machine that may be busy
    include: ['src/**/*.test.ts', 'test/**/*.test.ts'],
  },
});
