import { useMutation } from '@tanstack/react-query';
import { Button } from '../../look/button/button.tsx';
import { Notice } from '../../look/state/notice.tsx';
import css from '../session.module.css';
import { signInWithPasskey } from './sign-in.ts';

interface PasskeyWayProps {
  /** Whether the address has a host name; browsers allow no passkeys at an IP address. */
  readonly isPossible: boolean;
  readonly onSignedIn: () => void;
  /** Called for `passkey_needs_provider`; without it the refusal is only shown. */
  readonly onNeedsProvider?: () => void;
}

/** The button that signs in with a passkey. */
export function PasskeyWay({ isPossible, onSignedIn, onNeedsProvider }: PasskeyWayProps) {
  const {
    mutate,
    data: refusal,
    isPending,
  } = useMutation({
    mutationFn: signInWithPasskey,
    onSuccess: (refused) => {
      if (refused === null) onSignedIn();
      else if (refused.needsProvider) onNeedsProvider?.();
    },
  });
  if (!isPossible) return <NeedsName />;
  return (
    <>
      {refusal && <Notice tone="bad">{refusal.sentence}</Notice>}
      <Button disabled={isPending} onClick={() => mutate()}>
        Sign in with a passkey
      </Button>
    </>
  );
}

/** Says that passkeys need a host name, and links to `localhost` where that is this machine. */
export function NeedsName() {
  const address = `http://localhost:${location.port}/console/`;
  return (
    <p className={css.how}>
      Browsers allow passkeys only for a name, not for {location.hostname}.{' '}
      {/^(127\.|\[::1\])/.test(location.hostname) && (
        <>
          They work at <a href={address}>{address}</a>.
        </>
      )}
    </p>
  );
}
