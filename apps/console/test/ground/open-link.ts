import type { Page } from 'playwright-core';

/** Says yes to a link whose page is open, and waits until its person is signed in. */
export async function agree(page: Page): Promise<void> {
  await page.getByRole('button', { name: /^Sign in as / }).click();
  await page.getByRole('button', { name: /^Sign in as / }).waitFor({ state: 'detached' });
}

/** Opens a link and signs in, as its person does. */
export async function openLink(page: Page, link: string): Promise<void> {
  await page.goto(link);
  await agree(page);
}

/** Pastes a link where the page asks for one, and signs in. */
export async function pasteLink(page: Page, link: string): Promise<void> {
  await page.getByLabel('Sign-in link').fill(link);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await agree(page);
}
