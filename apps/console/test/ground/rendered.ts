import { randomBytes } from 'node:crypto';
import { text as textOf } from 'node:stream/consumers';
import { type Query, QueryClient, QueryClientProvider, QueryObserver } from '@tanstack/react-query';
import { createElement } from 'react';
import { prerenderToNodeStream } from 'react-dom/static';
import { expect } from 'vitest';
import { Router } from 'wouter';
import { aClientAddress } from './a-client-address.ts';
import type { TestService } from './a-service.ts';

// What a page says of data, without a browser: React's own renderer runs the console's pages in this process, and their
// calls go to the real service with a real session, as a browser sends them. A page takes a tenth of a second of CPU, a
// third of what it takes in a browser. Effects do not run: keys, focus, layout, titles and what comes by itself are tested
// in the browser. A DOM in node (jsdom) would run them without a layout, so what depends on both would be tested twice.

/** Somebody who is signed in, and reads pages as they are rendered. */
export interface Reader {
  /** Renders the page at a path below `/console`, once all that it reads has been answered. */
  readonly open: (path: string) => Promise<Part>;
}

/** A page, or an element of it. */
export interface Part {
  readonly markup: string;
  /** Its text, with single spaces: with what only a screen reader says, and what is folded. */
  readonly text: string;
  /** The elements with this tag in it. */
  readonly all: (tag: string) => readonly Part[];
  /** The one element with this tag whose markup contains all of these. */
  readonly only: (tag: string, ...having: readonly string[]) => Part;
}

interface Session {
  readonly url: string;
  readonly secret: string;
  readonly cookie: string;
}

/** Signs in a new person of these roles. */
export async function aReader(
  service: Pick<TestService, 'url' | 'link'>,
  roles: Parameters<TestService['link']>[0],
  name?: string,
): Promise<Reader> {
  const secret = randomBytes(32).toString('base64url');
  const answer = await fetch(`${service.url}/console/api/sign-in`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'origin-secret': secret,
      'sec-fetch-site': 'same-origin',
      ...aClientAddress(),
    },
    body: JSON.stringify({ token: new URL(await service.link(roles, name)).hash.slice(1) }),
  });
  expect(answer.status).toBe(200);
  const cookie = answer.headers.getSetCookie().map((one) => one.split(';')[0]);
  const session = { url: service.url, secret, cookie: cookie.join('; ') };
  return { open: (path) => rendered(session, `/console${path}`) };
}

/** Whose page is being rendered: one at a time, as the tests of a worker run. */
let current: Session | undefined;

async function rendered(session: Session, path: string): Promise<Part> {
  current = session;
  likeABrowser();
  const { Pages } = await import('../../src/pages.tsx');
  const { queryClient } = await import('../../src/session/query-client.ts');
  const { queries } = queryClient.getDefaultOptions();
  // Rendered again, what was refused is not asked again.
  const client = new QueryClient({ defaultOptions: { queries: { ...queries, retryOnMount: false } } });
  const page = createElement(
    QueryClientProvider,
    { client },
    createElement(Router, { base: '/console', ssrPath: path, children: createElement(Pages) }),
  );
  const answered = new Map<Query, () => void>();
  try {
    for (;;) {
      const markup = await markupOf(page);
      const cache = client.getQueryCache().getAll();
      const asked = cache.filter((query) => !answered.has(query) && isEnabled(query));
      if (asked.length === 0) return part(markup);
      await Promise.all(asked.map((query) => readQuery(client, query, answered)));
    }
  } finally {
    for (const stop of answered.values()) stop();
    client.clear();
  }
}

/** Renders a page, with all that it loads on demand. Throws what a component throws. */
async function markupOf(page: Parameters<typeof prerenderToNodeStream>[0]): Promise<string> {
  const errors: unknown[] = [];
  const { prelude } = await prerenderToNodeStream(page, {
    onError: (err) => void errors.push(err),
    progressiveChunkSize: Number.POSITIVE_INFINITY, // nothing is put elsewhere for a script to move
  });
  const markup = await textOf(prelude);
  if (errors.length > 0) throw errors[0];
  return markup;
}

const isEnabled = ({ options }: Query): boolean => !('enabled' in options) || options.enabled !== false;

/** Reads a query as a page that shows it does, and keeps its answer while the page is rendered. */
async function readQuery(client: QueryClient, query: Query, answered: Map<Query, () => void>): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const observer = new QueryObserver(client, { ...query.options, queryKey: query.queryKey });
  const look = ({ fetchStatus }: { fetchStatus: string }) => {
    if (fetchStatus === 'idle') resolve();
  };
  answered.set(query, observer.subscribe(look));
  look(observer.getCurrentResult());
  await promise;
}

const nothing = () => undefined;
const listening = { addEventListener: nothing, removeEventListener: nothing };
const storage = (read: (name: string) => string | null) => ({
  getItem: read,
  setItem: nothing,
  removeItem: nothing,
});

/** What the pages find in a browser while they load and are rendered, and not in node. */
function likeABrowser(): void {
  if ('matchMedia' in globalThis) return;
  const { fetch } = globalThis;
  Object.assign(globalThis, listening, {
    document: listening,
    location: new URL('http://localhost/console'),
    history: { state: null },
    localStorage: storage((name) => (name === 'origin-secret' ? (current?.secret ?? null) : null)),
    sessionStorage: storage(() => null),
    matchMedia: () => ({ matches: false, ...listening }),
    // A path is one of the page's origin, to which a browser sends the cookie.
    fetch: (input: string | URL | Request, init?: RequestInit) => {
      if (typeof input !== 'string' || !input.startsWith('/')) return fetch(input, init);
      const headers = new Headers(init?.headers);
      headers.set('cookie', current?.cookie ?? '');
      headers.set('sec-fetch-site', 'same-origin');
      return fetch(new URL(input, current?.url), { ...init, headers });
    },
  });
}

/** Elements that a line goes through without a space. */
const IN_A_LINE = /<\/?(?:a|abbr|b|bdi|code|em|i|mark|strong|time)(?: [^>]*)?>/g;

function part(markup: string): Part {
  const all = (tag: string) => elementsOf(markup, tag).map((one) => part(one));
  return {
    markup,
    get text() {
      return decoded(markup.replaceAll(/<!--.*?-->|<svg.*?<\/svg>/g, '').replaceAll(IN_A_LINE, ''))
        .replaceAll(/\s+/g, ' ')
        .trim();
    },
    all,
    only: (tag, ...having) => {
      const found = all(tag).filter((one) => having.every((text) => one.markup.includes(text)));
      expect(
        found.map((one) => one.text),
        `<${tag}> with ${having.join(' and ')}`,
      ).toHaveLength(1);
      return found[0] ?? expect.fail();
    },
  };
}

/** The outermost elements with this tag come after those in them. */
function elementsOf(markup: string, tag: string): string[] {
  const begun: number[] = [];
  const found: string[] = [];
  for (const { 0: one, index } of markup.matchAll(new RegExp(`</?${tag}(?: [^>]*)?>`, 'g')))
    if (one.startsWith('</')) found.push(markup.slice(begun.pop(), index + one.length));
    else begun.push(index);
  return found;
}

const CHARACTERS: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  '#x27': "'",
};

/** A text without its tags. */
const decoded = (markup: string): string =>
  markup
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll(/&(#x27|\w+);/g, (entity, name: string) => CHARACTERS[name] ?? entity);
