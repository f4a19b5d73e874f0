/** `@insurance-verification/store/testing`: a migrated database for each test file. Source only, never published. */
export { createTestDatabase, type TestDatabase } from './create-test-database.ts';
export { createMovableClock, makeMovable, moveDatabase, type MovableClock } from './movable-clock.ts';
export { changeSigned, signEveryRow } from './sign-every-row.ts';
export type { TestServer } from './test-server.ts';
