import { api } from '../api/api.ts';
import { failureOf } from '../api/failure.ts';
import { hasPasskeys, TOO_OLD, wordsOfBrowser } from '../session/sign-in/passkey-browser.ts';

type NewCredential = Parameters<typeof api.passkeys.add.mutate>[0]['credential'];

/**
 * Creates a passkey in this browser (WebAuthn) and registers it for the signed-in person.
 * @returns null once it is registered; else a sentence that says why it is not.
 */
export async function makePasskey(name: string): Promise<string | null> {
  if (!hasPasskeys()) return TOO_OLD;
  try {
    const { token, options } = await api.passkeys.begin.mutate();
    const asked = options as unknown as PublicKeyCredentialCreationOptionsJSON;
    const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(asked);
    const made = (await navigator.credentials.create({ publicKey })) as PublicKeyCredential | null;
    await api.passkeys.add.mutate({ token, name, credential: made?.toJSON() as NewCredential });
    return null;
  } catch (err) {
    if (err instanceof DOMException) return wordsOfBrowser(err);
    const { faults, sentence } = failureOf(err);
    return faults[0] ? `${faults[0].msg}.` : sentence;
  }
}
