import { createTestDatabase } from '@insurance-verification/store/testing';
import { aBrowser } from '@insurance-verification/testing/a-browser';
import { inWorkerFolder } from '@insurance-verification/testing/in-worker-folder';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, inject, test } from 'vitest';
import { startService, type TestService } from './a-service.ts';

/** The browser of this worker, in a file that calls {@link useBrowser} or {@link useShared}. */
export let browser: Browser;

/** The service of this worker, which tries each delivery once, in a file that calls {@link useShared}; else its own. */
export let service: TestService;

/** Milliseconds for a start on a busy machine. */
const PATIENCE_MS = 120_000;

// Started for the first file that needs them, and stopped with the worker.
const worker = test.extend<{ $worker: { startedBrowser: Browser; startedService: TestService } }>({
  startedBrowser: [
    // oxlint-disable-next-line no-empty-pattern -- vitest reads from it what a fixture needs
    async ({}, use) => {
      const [started, removeFolder] = await inWorkerFolder(aBrowser);
      await use(started);
      await started.close();
      removeFolder();
    },
    { scope: 'worker' },
  ],
  startedService: [
    // oxlint-disable-next-line no-empty-pattern -- vitest reads from it what a fixture needs
    async ({}, use) => {
      const { connectionString } = await createTestDatabase(inject('testServer'));
      const env = { DATABASE_URL: connectionString, WEBHOOK_RETRY_SCHEDULE: '0s' };
      const [started, removeFolder] = await inWorkerFolder(() => startService(env));
      await use(started);
      await started.stop();
      removeFolder();
    },
    { scope: 'worker' },
  ],
});

/** For a file that starts its services itself. */
export function useBrowser(): void {
  worker.beforeAll(({ startedBrowser }) => {
    browser = startedBrowser;
  }, PATIENCE_MS);
  afterAll(() => closePages());
}

/**
 * For a file whose tests make people, requests and accounts of their own, and give accounts names that no other file
 * gives. A file starts its own service where it counts all there is, takes what waits longest, edits the rows of others,
 * or needs another environment.
 */
export function useShared(): void {
  worker.beforeAll(({ startedBrowser, startedService }) => {
    browser = startedBrowser;
    service = startedService;
  }, PATIENCE_MS);
  afterAll(() => closePages(`${service.url}${AT_REST}`)); // the next file’s people go on with them
}

/** The same as {@link useOwn}, for a file that opens no page in a browser. */
export function useOwnService(env: Record<string, string> = {}): void {
  beforeAll(async () => {
    service = await startService(env);
  }, PATIENCE_MS);
  afterAll(() => service.stop());
}

/** For a file with a service of its own, which {@link service} is until its end. */
export function useOwn(env: Record<string, string> = {}): void {
  useBrowser();
  useOwnService(env);
}

/** Where a page waits for the next person: it asks for nothing there. */
export const AT_REST = '/livez';

/** A page that is left open looks for its service for as long as the browser lives, but for those at rest. */
const closePages = (atRest?: string) =>
  Promise.all(
    browser
      .contexts()
      .filter((context) => !context.pages().every((page) => page.url() === atRest))
      .map((context) => context.close()),
  );
