import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { AxeResults } from 'axe-core';
import type { BrowserContext, Page } from 'playwright-core';
import { expect } from 'vitest';
import { aClientAddress } from './a-client-address.ts';
import { AT_REST, browser } from './shared.ts';

/** Nobody looks at them where a machine checks, and they are an eighth of the time. */
const isLookedAt = process.env['CI'] === undefined;

/** Kept for a person to look at, and not committed; each run writes over the last. */
export const screenshots = fileURLToPath(new URL('../../node_modules/.cache/screenshots/', import.meta.url));
mkdirSync(screenshots, { recursive: true });

const axe = readFileSync(new URL(import.meta.resolve('axe-core/axe.min.js')), 'utf8');

// Half the time of its defaults, which also list what passes, and load every sheet once more.
const AXE = `axe.run({
  resultTypes: ['violations'],
  preload: false,
  elementRef: false,
  rules: { 'target-size': { enabled: true } },
})`;

/** What a scheme or a width changes: names, roles and structure are those of the look before. */
const AXE_OF_LOOKS = `axe.run({
  runOnly: ['color-contrast', 'link-in-text-block', 'target-size', 'scrollable-region-focusable'],
  resultTypes: ['violations'],
  preload: false,
  elementRef: false,
})`;

const DESKTOP = { width: 1280, height: 800 };
const PHONE = { width: 390, height: 844 };

/** A page that notes whatever a person would not see and must not happen. */
export interface WatchedPage {
  readonly page: Page;
  readonly context: BrowserContext;
  /** Policy violations, console errors, failed requests, and requests for another origin. */
  readonly complaints: string[];
  /** From now on no complaint: the browser writes down each answer of this status, now or a moment later. */
  readonly excuse: (status: number) => void;
  /** Pointers pressed. */
  readonly pointerCount: () => Promise<number>;
}

export async function aPage(origin: string): Promise<WatchedPage> {
  const context = await browser.newContext({ viewport: DESKTOP, baseURL: origin, locale: 'en-US' });
  context.setDefaultTimeout(30_000); // what waits in vain says for what, before the test's own time is over
  const page = await context.newPage();
  const complaints: string[] = [];
  const excused = new Set<string>();
  const isExcused = (text: string) =>
    excused.has(/^Failed to load resource: .* (\d{3}) \(/.exec(text)?.[1] ?? '');
  const excuse = (status: number) => {
    excused.add(String(status));
    complaints.splice(0, Infinity, ...complaints.filter((text) => !isExcused(text)));
  };
  const begin = async () => {
    complaints.length = 0;
    excused.clear();
    page.on('request', (request) => {
      if (new URL(request.url()).origin !== origin) complaints.push(`a request left for ${request.url()}`);
    });
    page.on('pageerror', (err) => complaints.push(err.message));
    page.on('console', (message) => {
      if (['error', 'warning'].includes(message.type()) && !isExcused(message.text()))
        complaints.push(message.text());
    });
    await context.setExtraHTTPHeaders(aClientAddress());
  };
  await begin();
  await page.exposeFunction('complain', (text: string) => void complaints.push(text));
  await page.addInitScript(`
    pointerCount = 0;
    addEventListener('pointerdown', () => pointerCount++, true);
    addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) =>
      complain(violatedDirective + ' forbids ' + blockedURI));
  `);
  const watched = {
    page,
    context,
    complaints,
    excuse,
    pointerCount: () => page.evaluate<number>('pointerCount'),
  };
  beginnings.set(watched, begin);
  return watched;
}

/** How another person begins on a page. */
const beginnings = new WeakMap<WatchedPage, () => Promise<void>>();

const LISTENED = ['console', 'dialog', 'pageerror', 'request', 'response'] as const;

/**
 * Makes a page that a test has left what it was before, with its cookies, storage and routes gone, so that another person
 * may begin on it: a new one is a process of the browser, which takes twice the CPU of a page that is opened.
 */
export async function clearPage(watched: WatchedPage): Promise<void> {
  const { page, context } = watched;
  const others = context.pages().filter((other) => other !== page);
  await Promise.all([
    ...others.map((other) => other.close()),
    page.unrouteAll({ behavior: 'ignoreErrors' }),
    context.unrouteAll({ behavior: 'ignoreErrors' }),
    context.setOffline(false),
    context.clearPermissions(),
  ]);
  for (const event of LISTENED) page.removeAllListeners(event);
  for (const event of ['page', 'request', 'response'] as const) context.removeAllListeners(event);
  page.on('dialog', (dialog) => void dialog.accept()); // what was typed is given up
  await page.goto(AT_REST); // of the same origin, so that the process stays
  await page.evaluate('localStorage.clear(), sessionStorage.clear()');
  await context.clearCookies();
  await page.setViewportSize(DESKTOP);
  await page.emulateMedia({ media: null, colorScheme: null, reducedMotion: null, forcedColors: null });
  page.removeAllListeners('dialog');
  await beginnings.get(watched)?.();
}

/** What a browser writes down of its own accord where a service is away or refuses. */
export const UNANSWERED = /^Failed to load resource: /;

/** The same where a session has ended while a call was under way. */
export const REFUSED = /^Failed to load resource: .* 401 \(Unauthorized\)$/;

interface Look {
  readonly colorScheme: 'light' | 'dark';
  readonly viewport: { readonly width: number; readonly height: number };
  readonly run: string;
}

/** Each scheme and each width once, with a picture. All of axe on a second look is a tenth of the time. */
const LOOKS: readonly Look[] = [
  { colorScheme: 'light', viewport: DESKTOP, run: AXE },
  { colorScheme: 'dark', viewport: PHONE, run: AXE_OF_LOOKS },
];

/** The other way round, and all of axe on a phone. */
const OTHER_LOOKS: readonly Look[] = [
  { colorScheme: 'dark', viewport: DESKTOP, run: AXE_OF_LOOKS },
  { colorScheme: 'light', viewport: PHONE, run: AXE },
];

/**
 * Looks at what is on screen as the strictest visitor would: light and wide, dark and narrow, and nothing complained of.
 * @param meant what the state itself makes the browser write.
 */
export async function expectFit(
  { page, complaints }: WatchedPage,
  name: string,
  meant: RegExp = /^$/,
  looks = LOOKS,
): Promise<void> {
  for (const look of looks) {
    await lookAs(page, look);
    if (isLookedAt)
      await page.screenshot({ path: join(screenshots, `${name}-${look.colorScheme}.png`), fullPage: true });
    await expectNoFault(page, look.run, `${name}, ${look.colorScheme} at ${look.viewport.width}`);
  }
  await page.setViewportSize(DESKTOP);
  expect(
    complaints.filter((complaint) => !meant.test(complaint)),
    name,
  ).toEqual([]);
}

let looked = 0;

/** Looks once, light and wide or dark and narrow in turn, with all of axe: for what many pages show alike. */
export function expectFitInTurn(watched: WatchedPage, name: string, meant?: RegExp): Promise<void> {
  looked += 1;
  return expectFit(
    watched,
    name,
    meant,
    LOOKS.slice(looked % 2, (looked % 2) + 1).map((look) => ({ ...look, run: AXE })),
  );
}

/** Looks at a page in the schemes and widths that `expectFit` leaves out, and with all of axe on a phone. */
export async function expectFitOtherwise({ page }: WatchedPage, name: string): Promise<void> {
  for (const look of OTHER_LOOKS) {
    await lookAs(page, look);
    await expectNoFault(page, look.run, `${name}, ${look.colorScheme} at ${look.viewport.width}`);
  }
  await page.setViewportSize(DESKTOP);
}

/** Holds a page that is not ours to all of axe, in both schemes and widths; how it moves is its own. */
export async function expectNoViolation(page: Page, name: string): Promise<void> {
  for (const look of [...LOOKS, ...OTHER_LOOKS]) {
    await lookAs(page, look);
    if (isLookedAt)
      await page.screenshot({
        path: join(screenshots, `${name}-${look.colorScheme}-${look.viewport.width}.png`),
      });
    await expectPassed(page, AXE, `${name}, ${look.colorScheme} at ${look.viewport.width}`);
  }
}

async function expectPassed(page: Page, run: string, look: string): Promise<void> {
  // Not with each page that is loaded: half a megabyte of script is a tenth of a second.
  if (!(await page.evaluate('"axe" in window'))) await page.evaluate(`${axe}; undefined`);
  const { violations } = await page.evaluate<AxeResults>(run);
  expect(
    violations.map(({ id, nodes }) => `${look}: ${id} at ${nodes.map(({ html }) => html).join(' ')}`),
  ).toEqual([]);
}

async function lookAs(page: Page, { colorScheme, viewport }: Look): Promise<void> {
  await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
  await page.setViewportSize(viewport);
}

async function expectNoFault(page: Page, run: string, look: string): Promise<void> {
  await expectPassed(page, run, look);
  // A page that scrolls sideways hides what is at its side.
  expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth'), look).toBeLessThanOrEqual(
    0,
  );
  expect(await page.evaluate('document.getAnimations().length'), look).toBe(0);
}

/** The link of a list to a request, by its id: it shows the patient's initials. */
export const linkTo = (page: Page, id: string) => page.locator(`a[href$="${id}"]`);
