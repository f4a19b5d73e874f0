import { PROBLEMS } from '@insurance-verification/schema';
import type { Page, Route } from 'playwright-core';

/** What the pages call, besides who one is: without that there is no page. */
const READS = /\/console\/api\/(?!sessions\.me|sign-in)/;
const EVERYTHING = /\/console\/api\//;

/** Lets no answer through until the function that it returns is called. */
export async function holdAnswers(page: Page): Promise<() => Promise<void>> {
  const { promise: released, resolve } = Promise.withResolvers<void>();
  const hold = async (route: Route) => {
    await released;
    await route.continue().catch(() => undefined); // what was asked meanwhile may be given up
  };
  await page.route(READS, hold);
  return async () => {
    resolve();
    await page.unroute(READS, hold);
  };
}

export const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';

/** Answers every call with a failure of the service's own, over either transport, until the returned function is called. */
export async function failAnswers(page: Page): Promise<() => Promise<void>> {
  const { status, title, sentence } = PROBLEMS.internal;
  const problem = {
    type: 'about:blank',
    status,
    title,
    detail: sentence,
    code: 'internal',
    request_trace: TRACE,
  };
  const error = {
    message: sentence,
    code: -32_603,
    data: { code: 'INTERNAL_SERVER_ERROR', httpStatus: status, problem },
  };
  const fail = (route: Route) => route.fulfill({ status, json: { error } });
  await page.route(EVERYTHING, fail);
  return () => page.unroute(EVERYTHING, fail);
}

/** Answers one operation with an empty list, where the service never has one. */
export async function emptyAnswers(page: Page, operation: string): Promise<void> {
  await page.route(new RegExp(`/console/api/${operation.replace('.', '\\.')}\\b`), (route) =>
    route.fulfill({ json: { result: { data: { items: [], next_cursor: null } } } }),
  );
}

/** Comes back to the tab after a while, so that what it shows is read again. */
export async function comeBack(page: Page): Promise<void> {
  await page.clock.fastForward('01:05');
  await page.evaluate(`dispatchEvent(new Event('visibilitychange'))`);
}

/** Waits for what follows by itself after seconds that nobody has to sit through. */
export async function untilShown(page: Page, text: string): Promise<void> {
  const seen = page.getByText(text).first();
  for (let tries = 0; tries < 60; tries += 1) {
    if (await seen.isVisible()) return;
    await page.clock.fastForward(500);
    await seen.waitFor({ timeout: 100 }).catch(() => undefined);
  }
  await seen.waitFor();
}

/** The same for what goes. */
export async function untilGone(page: Page, text: string): Promise<void> {
  const seen = page.getByText(text).first();
  for (let tries = 0; tries < 60; tries += 1) {
    if (!(await seen.isVisible())) return;
    await page.clock.fastForward(500);
    await seen.waitFor({ state: 'detached', timeout: 100 }).catch(() => undefined);
  }
  await seen.waitFor({ state: 'detached' });
}
