import { useMutation } from '@tanstack/react-query';
import { api } from '../../api/api.ts';
import { failureOf } from '../../api/failure.ts';
import { Field, TextInput } from '../../look/field.tsx';
import { hasPasskeys, TOO_OLD, wordsOfBrowser } from './sign-in.ts';

type NewCredential = Parameters<typeof api.passkeys.add.mutate>[0]['credential'];

/**
 * Creates a passkey of the signed-in person, by its name. Its `data` is null once it is registered; else a sentence that
 * says why it is not.
 */
export const useMakePasskey = (onMade: () => void) =>
  useMutation({
    mutationFn: (name: string) => makePasskey(name.trim()),
    onSuccess: (failed) => {
      if (failed === null) onMade();
    },
  });

/** Creates a passkey in this browser (WebAuthn) and registers it for the signed-in person. */
async function makePasskey(name: string): Promise<string | null> {
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

interface PasskeyNameProps {
  readonly name: string;
  readonly example: string;
  readonly onChange: (name: string) => void;
}

/** The field for what the person calls a passkey. */
export function PasskeyName({ name, example, onChange }: PasskeyNameProps) {
  return (
    <Field label="Name" htmlFor="passkey-name">
      <TextInput
        id="passkey-name"
        autoComplete="off"
        placeholder={example}
        maxLength={100}
        value={name}
        onChange={(event) => onChange(event.target.value)}
      />
    </Field>
  );
}
