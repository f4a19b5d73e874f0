import { useMutation } from '@tanstack/react-query';
import { Button } from '../look/button.tsx';
import { Notice } from '../look/state/notice.tsx';
import css from '../session/session.module.css';
import { signInWithPasskey } from '../session/sign-in.ts';

interface PasskeyWayProps {
  /** Whether the service has a name here: browsers make passkeys for no other address. */
  readonly isPossible: boolean;
  readonly onSignedIn: () => void;
}

/** Signs in with a passkey, for whoever has registered one. */
export function PasskeyWay({ isPossible, onSignedIn }: PasskeyWayProps) {
  const {
    mutate,
    data: failure,
    isPending,
  } = useMutation({
    mutationFn: signInWithPasskey,
    onSuccess: (failed) => {
      if (failed === null) onSignedIn();
    },
  });
  if (!isPossible) return <NeedsName />;
  return (
    <>
      {failure && <Notice tone="bad">{failure}</Notice>}
      <Button disabled={isPending} onClick={() => mutate()}>
        Sign in with a passkey
      </Button>
    </>
  );
}

/** Browsers make passkeys for names alone. */
export function NeedsName() {
  const address = `http://localhost:${location.port}/console/`;
  return (
    <p className={css.how}>
      Browsers allow passkeys for a name alone, not for {location.hostname}.{' '}
      {/^(127\.|\[::1\])/.test(location.hostname) && (
        <>
          They work at <a href={address}>{address}</a>.
        </>
      )}
    </p>
  );
}
