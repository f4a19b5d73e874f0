import { readdirSync, readFileSync } from 'node:fs';
import type { StaffRole } from '@insurance-verification/schema';
import { expect, test } from 'vitest';
import { HELP } from '../../src/look/help-of.ts';
import { expectFit, type WatchedPage } from '../ground/a-page.ts';
import { openMenu } from '../ground/open-menu.ts';
import { service, useShared } from '../ground/shared.ts';
import { ROWS } from './rows.ts';
import { signedIn } from './signed-in.ts';

// Every page has its row in the table of states, and its help.

useShared();

const pageOf = (role: StaffRole) => signedIn(service, role);

/** Nothing is complained of but what the state itself makes the browser write. */
async function expectState(watched: WatchedPage, name: string): Promise<void> {
  await expectFit(watched, name);
  watched.complaints.length = 0;
}

test('every route of the console has a row, and every row a route', () => {
  const source = readFileSync(new URL('../../src/pages.tsx', import.meta.url), 'utf8');
  const routes = [...source.matchAll(/<Route path="([^"]+)"/g)].map(([, path]) => path);
  // These are nobody's page: the first leads on to one's own, the others are for whoever is not signed in.
  const apart = ['/', '/sign-in', '/signed-in'];
  expect(routes.filter((route) => !apart.includes(route ?? '')).toSorted()).toEqual(
    ROWS.map(({ route }) => route).toSorted(),
  );
});

test('every page has its help, and no help is without a page', async () => {
  const folder = new URL('../../../docs/console/', import.meta.url);
  const texts = readdirSync(folder).filter((name) => name.endsWith('.md') && name !== 'README.md');
  const contents = readFileSync(new URL('README.md', folder), 'utf8');
  expect(HELP).toEqual(
    Object.fromEntries([['/sign-in', 'sign-in'], ...ROWS.map(({ route, help }) => [route, help])]),
  );
  expect(texts.toSorted()).toEqual(
    Object.values(HELP)
      .map((name) => `${name}.md`)
      .toSorted(),
  );
  for (const name of Object.values(HELP)) {
    expect(contents).toContain(`](${name}.md)`);
    const answer = await fetch(`${service.url}/console/help/${name}`);
    expect([name, answer.status, answer.headers.get('content-type')]).toEqual([
      name,
      200,
      'text/html; charset=utf-8',
    ]);
  }
  expect((await fetch(`${service.url}/console/help/nothing`)).status).toBe(404);
});

test('the help opens from its page, is fit for everyone, and leads on', async () => {
  const watched = await pageOf('verifier');
  await openMenu(watched.page);
  const [help] = await Promise.all([
    watched.context.waitForEvent('page'),
    watched.page.getByRole('link', { name: 'Help with this page' }).click(),
  ]);
  await help.getByRole('heading', { level: 1, name: 'Work' }).waitFor();
  await expectState({ ...watched, page: help }, 'help');
  await help
    .getByRole('link', { name: 'The workbench' })
    .or(help.getByRole('link', { name: 'the workbench' }))
    .first()
    .click();
  await help.getByRole('heading', { level: 1, name: 'The workbench' }).waitFor();
  await help.getByRole('link', { name: 'All help' }).click();
  await help.getByRole('heading', { level: 1, name: 'Help with the console' }).waitFor();
  await help.close();
});
