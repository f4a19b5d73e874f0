import type { Page } from 'playwright-core';

/** Whatever a key or a pointer acts on; of a group of radio buttons, the one that Tab comes to. */
const CONTROLS = `(() => {
  const groups = new Set();
  const all = 'a[href], button:enabled, input:enabled, select:enabled, textarea:enabled, summary, [tabindex="0"]';
  return [...document.querySelectorAll(all)].filter((element) => {
    if (!element.checkVisibility({ visibilityProperty: true }) || element.closest('fieldset:disabled')) return false;
    if (element.type !== 'radio') return true;
    const chosen = document.querySelector('input[name="' + element.name + '"]:checked');
    if (groups.has(element.name) || (chosen && chosen !== element)) return false;
    return groups.add(element.name);
  });
})()`;

/** What has the focus: which of the controls it is, and what is wrong with it. */
const FOCUSED = `(() => {
  const element = document.activeElement;
  if (!element || element === document.body) return null;
  const isRinged = (one) => one && getComputedStyle(one).outlineStyle !== 'none' && parseFloat(getComputedStyle(one).outlineWidth) >= 2;
  const { left, right, top, bottom, width, height } = element.getBoundingClientRect();
  const x = (Math.max(left, 0) + Math.min(right, innerWidth)) / 2;
  const y = (Math.max(top, 0) + Math.min(bottom, innerHeight)) / 2;
  const there = document.elementFromPoint(x, y);
  const label = element.closest('label');
  const faults = [];
  if (!isRinged(element) && !isRinged(label)) faults.push('no ring');
  if (width === 0 || height === 0) faults.push('no size');
  if (!there || !(element.contains(there) || there.contains(element) || label?.contains(there))) faults.push('covered');
  return { index: window.controls.indexOf(element), html: element.outerHTML.slice(0, 120), faults };
})()`;

interface Focused {
  readonly index: number;
  readonly html: string;
  readonly faults: readonly string[];
}

/** Goes through a page with Tab. @returns what has no visible focus, and what is not reached. */
export async function walkWithTab(page: Page): Promise<string[]> {
  const count = await page.evaluate<number>(
    `document.activeElement.blur(), scrollTo(0, 0), (window.controls = ${CONTROLS}).length`,
  );
  const faults: string[] = [];
  const reached = new Set<number>();
  // Once round: from the page's heading to its end, over the browser's own controls, and from the top again.
  for (let presses = 0; presses < 2 * count + 4 && reached.size < count; presses += 1) {
    await page.keyboard.press('Tab');
    const focused = await page.evaluate<Focused | null>(FOCUSED);
    if (!focused) continue;
    if (focused.index >= 0) reached.add(focused.index);
    for (const fault of focused.faults) faults.push(`${fault}: ${focused.html}`);
  }
  const missed = await page.evaluate<string[]>(
    `window.controls.map((one, index) => [index, one.outerHTML.slice(0, 120)])
      .filter(([index]) => !${JSON.stringify([...reached])}.includes(index)).map(([, html]) => 'not reached: ' + html)`,
  );
  return [...new Set([...faults, ...missed])];
}

/** What is cut off, or reaches past the edge of the screen, other than in a frame that scrolls by itself, and ids, whose whole is their title. */
export const cutOff = (page: Page): Promise<string[]> =>
  page.evaluate(`[...document.querySelectorAll('main *, header *')].filter((element) => {
    if (!element.checkVisibility() || element.closest('[role=region], pre, svg, select, option, code[title]')) return false;
    if (element.getBoundingClientRect().width <= 1) return false; // for listeners alone
    const { overflowX } = getComputedStyle(element);
    const hides = overflowX === 'hidden' && element.scrollWidth > element.clientWidth + 1;
    return hides || element.getBoundingClientRect().right > innerWidth + 1;
  }).map((element) => element.outerHTML.slice(0, 120))`);

/** Controls, and the mark of where one is, that show by their colour alone: the system's colours would hide them. */
export const byColourAlone = (page: Page): Promise<string[]> =>
  page.evaluate(`[...document.querySelectorAll('button, input, select, textarea, main a[href], [aria-current]')].filter((element) => {
    if (!element.checkVisibility()) return false;
    const { borderTopStyle, borderTopWidth, textDecorationLine, fontWeight, outlineStyle } = getComputedStyle(element);
    const isFramed = borderTopStyle !== 'none' && parseFloat(borderTopWidth) > 0;
    const isNative = element.matches('input[type=radio], input[type=checkbox]');
    const isMarked = element.matches('[aria-current]') && Number(fontWeight) >= 600;
    return !(isFramed || isNative || isMarked || textDecorationLine.includes('underline') || element.querySelector('svg') || outlineStyle !== 'none');
  }).map((element) => element.outerHTML.slice(0, 120))`);
