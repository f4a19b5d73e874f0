import type { RequestInfo } from '@insurance-verification/schema';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import type { WatchedPage } from './a-page.ts';
import { aPerson } from './a-person.ts';
import type { TestService } from './a-service.ts';

// An answer that has arrived is not read yet, and the page asks nothing twice at once.
const COUNT_ANSWERS_READ = `
  answersRead = 0;
  const { json } = Response.prototype;
  Response.prototype.json = async function () {
    const body = await json.call(this);
    if (this.url.includes('/console/api/sessions.me')) answersRead++;
    return body;
  };
`;

const answersRead = (page: Page) => page.evaluate<number>('answersRead');

/** A verifier with a request on the table, and a clock that the test turns. */
export async function atTheBench(
  service: TestService,
  changes: Partial<RequestInfo> = {},
): Promise<WatchedPage & { readonly id: string }> {
  const watched = await aPerson(service, ['verifier'], { at: null });
  const { page } = watched;
  await page.addInitScript(COUNT_ANSWERS_READ);
  await page.clock.install();
  const { request_id: id } = await service.aRequest(changes);
  await page.goto(`/console/work/${id}`);
  await page.getByRole('button', { name: 'Take it' }).click();
  await page.getByLabel('Plan name').waitFor();
  return { ...watched, id };
}

/** Lets minutes go by without a key or a pointer; in each the page reads an answer, which has the service's time. */
export async function absent(page: Page, minutes: number): Promise<void> {
  for (let minute = 0; minute < minutes; minute += 1) {
    const before = await answersRead(page);
    await page.clock.fastForward(60_000);
    await expect.poll(() => answersRead(page), { timeout: 15_000 }).toBeGreaterThan(before);
  }
}
