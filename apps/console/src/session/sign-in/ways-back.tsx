import { Button } from '../../look/button/button.tsx';
import { PasskeyWay } from './passkey-way.tsx';
import { openProvider, useWays } from './provider.ts';
import { HowToGetLink, SignInForm } from './sign-in-form.tsx';

interface WaysBackProps {
  /** Whether the provider must ask the person again, whatever it remembers. */
  readonly fresh?: boolean;
  /** Signed in here; what happens in the provider's window is told to every tab. */
  readonly onSignedIn: () => void;
}

/** Signs in again without leaving the page. */
export function WaysBack({ fresh = false, onSignedIn }: WaysBackProps) {
  const { data: ways } = useWays();
  if (!ways) return null;
  return (
    <>
      {ways.provider === null ? (
        <>
          <HowToGetLink />
          <SignInForm onSignedIn={onSignedIn} />
        </>
      ) : (
        <Button kind="primary" onClick={() => openProvider({ fresh })}>
          Sign in with {ways.provider}
        </Button>
      )}
      <PasskeyWay isPossible={ways.passkeys} onSignedIn={onSignedIn} />
    </>
  );
}
