/** Whether this browser has WebAuthn with JSON (`parseRequestOptionsFromJSON`), as all have since 2025. */
export const hasPasskeys = (): boolean =>
  typeof PublicKeyCredential === 'function' && 'parseRequestOptionsFromJSON' in PublicKeyCredential;

export const TOO_OLD = 'This browser is too old for passkeys.';

/** A sentence for an exception of the browser, by its name (Web Authentication, section 5.1). */
export function wordsOfBrowser(err: unknown): string {
  switch (err instanceof DOMException ? err.name : '') {
    case 'NotAllowedError':
      return 'No passkey was used: the question was left, took too long, or there is none for this service here.';
    case 'InvalidStateError':
      return 'This device has a passkey of yours already.';
    case 'SecurityError':
      return 'The browser allows no passkeys at this address.';
    case 'NotSupportedError':
    case 'ConstraintError':
      return 'This device makes none that checks who uses it, which this service needs.';
    default:
      return 'The service does not answer. Try again in a moment.';
  }
}
