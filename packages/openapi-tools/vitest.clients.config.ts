import { configDefaults, defineConfig } from 'vitest/config';
import common from './vitest.config.ts';

/** `test:clients`: other people's clients, which it installs the first time. */
export default defineConfig({
  ...common,
  test: { ...common.test, include: ['test/clients/**/*.test.ts'], exclude: configDefaults.exclude },
});
