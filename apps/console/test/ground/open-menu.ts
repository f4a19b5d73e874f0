import type { Page } from 'playwright-core';

/** Opens the menu under the person's name, once no dialog is left that would take the focus back. */
export async function openMenu(page: Page): Promise<void> {
  await page.locator('dialog[open]').waitFor({ state: 'detached' });
  await page.locator('header summary').click();
}
