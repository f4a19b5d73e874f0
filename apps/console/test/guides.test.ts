import { globSync } from 'node:fs';
import { basename, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { aPage, expectFit } from './ground/a-page.ts';
import { service, useShared } from './ground/shared.ts';

useShared();

const names = globSync('*.md', { cwd: join(import.meta.dirname, '../../docs/guides') }).map((file) =>
  basename(file, '.md'),
);

async function open(path: string) {
  const watched = await aPage(service.url);
  onTestFinished(() => watched.context.close());
  await watched.page.goto(path);
  return watched;
}

test.each(names)('the guide %s is readable in each scheme and width, under its policy', async (name) => {
  const watched = await open(name === 'README' ? '/docs' : `/docs/${name}`);
  await expectFit(watched, `guide-${name}`);
  expect(watched.complaints).toEqual([]);
});

test('the search finds a page without the service', async () => {
  const { page, context, complaints } = await open('/docs');
  const field = page.getByRole('searchbox', { name: 'Search' });
  await Promise.all([
    page.waitForResponse((answer) => answer.url().endsWith('/docs/search.json')),
    field.fill('sig'),
  ]);
  await context.setOffline(true);
  await field.fill('rotate secret');
  await page.getByRole('link', { name: 'Webhooks: Rotate the secret' }).waitFor();
  await field.fill('qqqq');
  await page.getByText('Nothing found').waitFor();
  await context.setOffline(false);
  await field.fill('sandbox');
  await field.press('Enter');
  await page.getByRole('heading', { level: 1, name: 'Sandbox' }).waitFor();
  expect(complaints).toEqual([]);
});
