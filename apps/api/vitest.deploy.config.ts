import { configDefaults, defineConfig } from 'vitest/config';
import common from './vitest.config.ts';

/** `test:deploy`: what starts nginx, HAProxy, promtool and a deployed service. */
export default defineConfig({
  ...common,
  test: { ...common.test, include: ['test/deploy/**/*.test.ts'], exclude: configDefaults.exclude },
});
