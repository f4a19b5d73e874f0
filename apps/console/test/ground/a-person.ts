import type { Browser } from 'playwright-core';
import { onTestFinished } from 'vitest';
import { aPage, type WatchedPage } from './a-page.ts';
import type { TestService } from './a-service.ts';
import { openLink } from './open-link.ts';

/** A page of a new person of these roles, signed in; gone when the test has finished. */
export async function aPerson(
  browser: Browser,
  service: TestService,
  roles: Parameters<TestService['link']>[0],
  name?: string,
): Promise<WatchedPage> {
  const watched = await aPage(browser, service.url);
  onTestFinished(() => watched.context.close());
  await openLink(watched.page, await service.link(roles, name));
  await watched.page.getByRole('banner').waitFor();
  await watched.page.waitForURL((url) => !url.pathname.endsWith('/sign-in'));
  return watched;
}
