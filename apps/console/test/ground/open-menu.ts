import type { Page } from 'playwright-core';

/** Opens the menu under the person's name. */
export const openMenu = (page: Page): Promise<void> => page.locator('header summary').click();
