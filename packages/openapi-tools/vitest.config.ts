import { defineConfig } from 'vitest/config';

const conditions = ['@insurance-verification/source'];

export default defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions } },
  test: {
    globalSetup: ['../store/src/testing/global-setup.ts'],
    testTimeout: 60_000, // generators and compilers take seconds, and many on a busy machine
    include: ['test/**/*.test.ts'],
  },
});
