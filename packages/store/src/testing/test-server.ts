/** What the global set-up provides to the tests of a run. */
export interface TestServer {
  /** Its role may create databases; its own database serves only to create and drop others. */
  adminConnectionString: string;
  /** A migrated database that may be cloned but not connected to. */
  templateName: string;
}

declare module 'vitest' {
  interface ProvidedContext {
    testServer: TestServer;
  }
}

/** Replaces the database in a connection string. */
export function onDatabase(connectionString: string, database: string): string {
  const url = new URL(connectionString);
  url.pathname = `/${database}`;
  return url.href;
}

/**
 * Names a test run, uniquely even on a server shared by several machines: `test_12345_mk3f9q2x`, process id and start.
 * Databases carry their run's name, so a later run knows whose they are.
 */
export function nameRun(): string {
  const startedAt = Math.round(Date.now() - process.uptime() * 1000);
  return `test_${process.pid}_${startedAt.toString(36)}`;
}

export const RUN_NAME_PATTERN = /^test_(\d+)_[0-9a-z]+/;
