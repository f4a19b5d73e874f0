/** What the global set-up hands to the tests of a run. */
export interface TestServer {
  /** Its role may create databases; its database is only connected to in order to create and drop others. */
  adminConnectionString: string;
  /** A migrated database nobody may connect to, only clone. */
  templateName: string;
}

declare module 'vitest' {
  interface ProvidedContext {
    testServer: TestServer;
  }
}

/** The same server, another database. */
export function onDatabase(connectionString: string, database: string): string {
  const url = new URL(connectionString);
  url.pathname = `/${database}`;
  return url.href;
}

/**
 * Names one test run, here and on a server that several machines share: `test_12345_mk3f9q2x`, process id and start.
 * Databases are named after their run, so a later run knows whose they are.
 */
export function nameRun(): string {
  const startedAt = Math.round(Date.now() - process.uptime() * 1000);
  return `test_${process.pid}_${startedAt.toString(36)}`;
}

export const RUN_NAME_PATTERN = /^test_(\d+)_[0-9a-z]+/;
