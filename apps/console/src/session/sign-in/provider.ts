import { useQuery } from '@tanstack/react-query';
import { forgetAccount } from '../../api/acts-for.ts';
import { beginWithProvider, type ProviderSignIn } from './sign-in.ts';

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

/** Goes to the provider, and back to a page below `/console`. @returns why it cannot; else the page is left. */
export async function goToProvider(page: string, options?: ProviderSignIn): Promise<string> {
  const begun = await beginWithProvider(page, options);
  if (typeof begun === 'string') return begun;
  forgetAccount(); // whoever comes back may be somebody else
  location.assign(begun);
  return new Promise<never>(() => undefined);
}

/**
 * Opens the provider in a window of its own, so that what is on screen stays. Its last page tells the others, and
 * closes.
 * @returns why it cannot; null once the provider's page loads.
 */
export async function openProvider(options?: ProviderSignIn): Promise<string | null> {
  const popup = open('', '_blank', 'popup,width=520,height=720'); // at the click, or the browser forbids it
  const begun = await beginWithProvider('/signed-in', options);
  if (typeof begun === 'string') {
    popup?.close();
    return begun;
  }
  if (popup) popup.location.assign(begun);
  return popup ? null : 'The browser opens no window for the sign-in. Allow it for this page.';
}
