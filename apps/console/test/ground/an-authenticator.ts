import type { WatchedPage } from './a-page.ts';

/** One of the browser's own virtual authenticators: what a person does with a finger, a test does by existing. */
export interface VirtualAuthenticator {
  /** Whether its user shows the right finger. */
  verifies(isUserVerified: boolean): Promise<unknown>;
  /** Whether its user touches it when asked. */
  isTouched(enabled: boolean): Promise<unknown>;
  /** How many passkeys it holds. */
  count(): Promise<number>;
}

/** An authenticator in the page's browser: built into a laptop, or by `usb` a security key. */
export async function anAuthenticator(
  { page, context }: WatchedPage,
  transport: 'internal' | 'usb' = 'internal',
): Promise<VirtualAuthenticator> {
  const cdp = await context.newCDPSession(page);
  await cdp.send('WebAuthn.enable');
  const { authenticatorId } = await cdp.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      ctap2Version: 'ctap2_1',
      transport,
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  return {
    verifies: (isUserVerified) => cdp.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified }),
    isTouched: (enabled) => cdp.send('WebAuthn.setAutomaticPresenceSimulation', { authenticatorId, enabled }),
    count: async () => (await cdp.send('WebAuthn.getCredentials', { authenticatorId })).credentials.length,
  };
}
