import { defineConfig } from 'vitest/config';

const conditions = ['@insurance-verification/source'];

export default defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions } },
  test: {
    globalSetup: ['../store/src/testing/global-setup.ts'],
    testTimeout: 30_000, // generators and compilers are slow on a machine that is busy
    include: ['test/**/*.test.ts'],
  },
});
