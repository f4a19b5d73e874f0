import { randomBytes } from 'node:crypto';
import { expect, onTestFinished } from 'vitest';
import { aPage, clearPage, type WatchedPage } from './a-page.ts';
import type { TestService } from './a-service.ts';

interface Person {
  readonly name?: string | undefined;
  /** Where they begin: at the first page of their role by default. Null loads none, which costs a third of a second. */
  readonly at?: string | null | undefined;
}

/** A page with the secret that its browser keeps for the person who signs in. */
interface Seat {
  readonly watched: WatchedPage;
  readonly secret: string;
  /** Whether a test has changed what outlives a page that is loaded: its clock, its scripts, its devices. */
  isChanged: boolean;
}

/** The pages that tests have left, by the service's address. */
const left = new Map<string, Seat[]>();

/** A page of a new person of these roles, signed in; left when the test has finished. */
export async function aPerson(
  service: TestService,
  roles: Parameters<TestService['link']>[0],
  { name, at = '/console' }: Person = {},
): Promise<WatchedPage> {
  const seat = await aSeat(service.url);
  onTestFinished(({ task }) => leave(service.url, seat, task.result?.state === 'pass'));
  const { watched } = seat;
  await takeLink(seat, await service.link(roles, name));
  if (at === null) return watched;
  await watched.page.goto(at);
  await watched.page.getByRole('banner').waitFor();
  return watched;
}

async function aSeat(url: string): Promise<Seat> {
  for (let seat = left.get(url)?.pop(); seat; seat = left.get(url)?.pop())
    if (!seat.watched.page.isClosed()) return seat; // the files before have closed theirs
  const watched = await aPage(url);
  const secret = randomBytes(32).toString('base64url');
  const { page, context } = watched;
  await context.addInitScript((kept) => localStorage.setItem('origin-secret', kept), secret);
  const seat = { watched, secret, isChanged: false };
  const changing =
    <Given extends unknown[], Answer>(change: (...given: Given) => Answer) =>
    (...given: Given) => {
      seat.isChanged = true;
      return change(...given);
    };
  page.addInitScript = changing(page.addInitScript.bind(page));
  page.clock.install = changing(page.clock.install.bind(page.clock));
  page.clock.setFixedTime = changing(page.clock.setFixedTime.bind(page.clock));
  context.newCDPSession = changing(context.newCDPSession.bind(context));
  return seat;
}

/** Closes a page, or keeps it for another person if nothing of its test is left in it. */
async function leave(url: string, seat: Seat, hasPassed: boolean): Promise<void> {
  const { page, context } = seat.watched;
  if (!hasPassed || seat.isChanged || page.isClosed()) return context.close();
  await clearPage(seat.watched);
  left.set(url, [...(left.get(url) ?? []), seat]);
}

/** Signs in with the calls of the page of a link, which is not opened: it has tests of its own, and it costs a second. */
async function takeLink({ watched, secret }: Seat, link: string): Promise<void> {
  const answer = await watched.context.request.post('/console/api/sign-in', {
    headers: { 'origin-secret': secret, 'sec-fetch-site': 'same-origin' },
    data: { token: new URL(link).hash.slice(1) },
  });
  expect(answer.status()).toBe(200);
}
