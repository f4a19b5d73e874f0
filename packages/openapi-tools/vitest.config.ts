import { defineConfig } from 'vitest/config';

const conditions = ['@insurance-verification/source'];

export default defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions } },
  test: {
    globalSetup: ['../testing/src/run-folder.ts', '../store/src/testing/global-setup.ts'],
    setupFiles: ['../testing/src/file-folder.ts'],
    testTimeout: 60_000, // generators and compilers take seconds, and many on a busy machine
    include: ['test/**/*.test.ts'],
  },
});
