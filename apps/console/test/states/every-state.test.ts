import type { StaffRole } from '@insurance-verification/schema';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { WORDS_FOR_PEOPLE } from '../../src/api/failure.ts';
import {
  expectFit,
  expectFitInTurn,
  expectFitOtherwise,
  UNANSWERED,
  type WatchedPage,
} from '../ground/a-page.ts';
import { service, useOwn } from '../ground/shared.ts';
import {
  comeBack,
  emptyAnswers,
  failAnswers,
  holdAnswers,
  TRACE,
  untilGone,
  untilShown,
} from './bring-about.ts';
import { byColourAlone, cutOff, walkWithTab } from './for-everyone.ts';
import { COUNTED_MS, type Made, makeSome, NOTHING } from './made.ts';
import type { Row } from './row.ts';
import { ROWS } from './rows.ts';
import { signedIn } from './signed-in.ts';

// Slow: each page in each of its states, under axe.

// Every page in every state: under its policy, on its origin, fit for everyone, in light and dark. One service, and one
// browser for each role; only failures of the network and of answers are made up.

// Its own service: it begins empty.
useOwn({ WEBHOOK_RETRY_SCHEDULE: '0s' });

const people = new Map<StaffRole, Promise<WatchedPage>>();

/** The one page of somebody with this role, signed in. */
function pageOf(role: StaffRole): Promise<WatchedPage> {
  const person = people.get(role) ?? signedIn(service, role);
  people.set(role, person);
  return person;
}

/** Goes to a page of the console; title and heading are right whatever its state. */
async function go({ page }: WatchedPage, path: string, heading: string, title = heading): Promise<void> {
  await page.goto(`/console${path}`);
  await page.getByRole('heading', { level: 1, name: heading, exact: true }).waitFor();
  await expect.poll(() => page.title()).toBe(`${title} · Insurance Verification`);
  expect(await page.getByRole('heading', { level: 1 }).count()).toBe(1);
}

/**
 * Nothing is complained of but what the state itself makes the browser write. Its banner, dialog or skeleton is every
 * page's, so that each page is looked at in light or in dark; with its data it is in both.
 */
async function expectState(
  watched: WatchedPage,
  name: string,
  meant?: RegExp,
  fit = expectFitInTurn,
): Promise<void> {
  await fit(watched, name, meant);
  watched.complaints.length = 0;
}

describe('with nothing in it, it says what would fill it', () => {
  test.each(ROWS.filter(({ empty }) => empty))(
    '$route',
    async ({ route, role, empty, at, heading, title, unread, help }) => {
      const watched = await pageOf(role);
      const { page } = watched;
      if (empty?.answers !== undefined) await emptyAnswers(page, empty.answers);
      const path = empty?.at ?? at(NOTHING);
      const isDetail = route.includes(':');
      await go(
        watched,
        path,
        unread ??
          (isDetail && !['workbench', 'proof'].includes(help)
            ? (path.split('/').at(-1) ?? '')
            : (title ?? heading(NOTHING))),
      );
      await page
        .getByText(empty?.shows ?? '')
        .first()
        .waitFor();
      watched.excuse(404);
      await expectState(watched, `${help}-empty`);
      await page.unrouteAll();
    },
  );
});

describe.each(ROWS)('$route', (row) => {
  const { role, heading, title, unread, data, opens, waits, draft, help } = row;
  let watched: WatchedPage;
  beforeAll(async () => {
    made = await (making ??= makeSome(service)); // once, also where it fails
    watched = await pageOf(role);
  }, 2 * COUNTED_MS);
  const shows = () =>
    watched.page
      .getByText(data(made ?? NOTHING))
      .first()
      .waitFor();

  /** On its page with its data, by whichever test before. */
  async function isThere(): Promise<void> {
    if (there.get(watched) !== row) {
      const path = row.at(made ?? NOTHING);
      if (opens) {
        await watched.page.goto(`/console${path}`);
        await opens(watched.page);
      } else await go(watched, path, heading(made ?? NOTHING), title);
      there.set(watched, row);
    }
    await shows();
  }

  test.runIf(row.reads)('while it is read, it has its heading, and the size of what comes', async () => {
    const { page } = watched;
    const release = await holdAnswers(page);
    if (opens) {
      await page.goto(`/console${row.at(made ?? NOTHING)}`);
      await opens(page);
    } else if (unread === undefined)
      await go(watched, row.at(made ?? NOTHING), heading(made ?? NOTHING), title);
    else await go(watched, row.at(made ?? NOTHING), unread);
    await (waits === undefined ? page.locator('main [aria-busy=true]') : page.getByText(waits))
      .first()
      .waitFor();
    await expectState(watched, `${help}-loading`);
    await release();
    there.set(watched, row);
    await shows();
  });

  test('with its data, it is fit for everyone', async () => {
    await isThere();
    await expectFitOtherwise(watched, help);
    await expectState(watched, help, undefined, expectFit);
  });

  test('Tab reaches every control, each shows that it has the focus, and none keeps it', async () => {
    await isThere();
    // Again while the page still settles into its width; what is wrong for good stays so.
    await expect.poll(() => walkWithTab(watched.page), { timeout: 45_000 }).toEqual([]);
  });

  test('at 200 % nothing is cut off, and in the system’s colours nothing shows only by colour', async () => {
    await isThere();
    const { page } = watched;
    await page.setViewportSize({ width: 640, height: 400 });
    // Again while the page settles into its width.
    await expect
      .poll(() => page.evaluate('document.documentElement.scrollWidth - innerWidth'))
      .toBeLessThanOrEqual(0);
    await expect.poll(() => cutOff(page)).toEqual([]);
    await page.setViewportSize({ width: 1280, height: 800 });
    await page.emulateMedia({ forcedColors: 'active' });
    expect(await byColourAlone(page)).toEqual([]);
    await page.emulateMedia({ forcedColors: 'none' });
  });

  test('a read that fails is shown with its trace, the data stays, and Retry reads again', async () => {
    await isThere();
    const { page } = watched;
    const mend = await failAnswers(page);
    onTestFinished(mend); // whatever comes of this state, the next has its answers
    await comeBack(page);
    await untilShown(page, WORDS_FOR_PEOPLE['internal'] ?? '');
    await page.getByText(TRACE).first().waitFor();
    await page.getByText('Last updated').first().waitFor();
    await shows();
    watched.excuse(500);
    await expectState(watched, `${help}-error`);
    await mend();
    await page.getByRole('button', { name: 'Retry' }).click();
    await page.getByText(TRACE).waitFor({ state: 'detached' });
    await shows();
  });

  test('without a network it keeps what it has, and says how old that is', async () => {
    await isThere();
    const { page, context } = watched;
    await context.setOffline(true);
    onTestFinished(() => context.setOffline(false));
    await comeBack(page);
    await untilShown(page, 'The service does not answer');
    await page
      .getByText(/Last updated .*, \d+ (s|min) ago/)
      .first()
      .waitFor();
    await shows();
    await expectState(watched, `${help}-offline`, UNANSWERED);
    await context.setOffline(false);
    await untilGone(page, 'Last updated');
  });

  test('signed out, it asks to sign in over what was typed, which stays', async () => {
    await isThere();
    const { page, context } = watched;
    if (draft) await page.getByLabel(draft[0], { exact: true }).fill(draft[1]);
    const cookies = await context.cookies();
    // The next rows are signed in, whatever comes of this one.
    onTestFinished(async () => {
      await context.addCookies(cookies);
      there.delete(watched);
    });
    await context.clearCookies();
    await comeBack(page);
    await untilShown(page, 'You are signed out');
    // The refusals, and what of the network's failure in the state before is written down a moment later.
    await expectState(watched, `${help}-signed-out`, UNANSWERED);
    await page
      .getByText(data(made ?? NOTHING))
      .first()
      .waitFor({ state: 'attached' });
    if (draft) expect(await page.getByLabel(draft[0], { exact: true }).inputValue()).toBe(draft[1]);
  });

  test.runIf(row.closed)('a person without its role sees which it needs', async () => {
    const { to, needs } = row.closed ?? { to: 'viewer' as const, needs: '' };
    const other = await pageOf(to);
    await other.page.goto(`/console${row.at(made ?? NOTHING)}`);
    await other.page.getByText(`It needs ${needs}`).first().waitFor();
    other.excuse(403);
    await expectState(other, `${help}-closed`);
  });
});

let made: Made | undefined;
let making: Promise<Made> | undefined;
const there = new Map<WatchedPage, Row>();
