import { configDefaults, defineConfig } from 'vitest/config';
import common from './vitest.config.ts';

/** `test:clients`: generators of others, which their registries give. */
export default defineConfig({
  ...common,
  test: { ...common.test, include: ['test/clients/**/*.test.ts'], exclude: configDefaults.exclude },
});
