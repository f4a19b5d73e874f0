import { randomBytes } from 'node:crypto';
import { expect, onTestFinished } from 'vitest';
import { aPage, type WatchedPage } from './a-page.ts';
import type { TestService } from './a-service.ts';

interface Person {
  readonly name?: string | undefined;
  /** Where they begin: at the first page of their role by default. Null loads none, which costs a third of a second. */
  readonly at?: string | null | undefined;
}

/** A page of a new person of these roles, signed in; gone when the test has finished. */
export async function aPerson(
  service: TestService,
  roles: Parameters<TestService['link']>[0],
  { name, at = '/console' }: Person = {},
): Promise<WatchedPage> {
  const watched = await aPage(service.url);
  onTestFinished(() => watched.context.close());
  await takeLink(watched, await service.link(roles, name));
  if (at === null) return watched;
  await watched.page.goto(at);
  await watched.page.getByRole('banner').waitFor();
  return watched;
}

/** Signs in with the calls of the page of a link, which is not opened: it has tests of its own, and it costs a second. */
async function takeLink({ context }: WatchedPage, link: string): Promise<void> {
  const secret = randomBytes(32).toString('base64url');
  await context.addInitScript((kept) => localStorage.setItem('origin-secret', kept), secret);
  const answer = await context.request.post('/console/api/sign-in', {
    headers: { 'origin-secret': secret, 'sec-fetch-site': 'same-origin' },
    data: { token: new URL(link).hash.slice(1) },
  });
  expect(answer.status()).toBe(200);
}
