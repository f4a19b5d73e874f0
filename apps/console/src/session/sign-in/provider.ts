import { useQuery } from '@tanstack/react-query';

/** How people sign in here. */
export interface Ways {
  /** The identity provider's host; null where links sign people in. */
  readonly provider: string | null;
  /** Whether a passkey can: browsers make none for an address made of numbers. */
  readonly passkeys: boolean;
}

/** Asked before anyone is signed in, so it is no operation. */
export const useWays = () =>
  useQuery({
    queryKey: ['sign-in'],
    queryFn: async ({ signal }): Promise<Ways> => {
      const answer = await fetch('/console/api/sign-in', { signal });
      if (!answer.ok) throw new Error(`The ways to sign in answered ${answer.status}.`);
      return (await answer.json()) as Ways;
    },
    networkMode: 'always', // it is who has no session that asks
    staleTime: Number.POSITIVE_INFINITY,
  });

/** The sign-in page, which leads back to what is on screen. */
export function signInPath(): string {
  const here = `${location.pathname}${location.search}`;
  return here === '/console' || here === '/console/' ? '/sign-in' : `/sign-in?to=${encodeURIComponent(here)}`;
}

/** The page, below `/console`, that the sign-in page was asked for; `/` without one. */
export function pageAfter(search: string): string {
  const to = new URLSearchParams(search).get('to') ?? '';
  return /^\/console\/(?![/\\])/.test(to) ? to.slice('/console'.length) : '/';
}

/** The address that leads to the provider and back to a page below `/console`. */
export function providerAddress(page: string, { fresh = false } = {}): string {
  const search = new URLSearchParams({ to: `/console${page}`, ...(fresh && { fresh: '1' }) });
  return `/console/sign-in/provider?${search.toString()}`;
}

/**
 * Opens the provider in a window of its own, so that what is on screen stays. Its last page tells the others, and
 * closes.
 */
export function openProvider(options?: { readonly fresh?: boolean }): void {
  open(providerAddress('/signed-in', options), '_blank', 'popup,width=520,height=720');
}
