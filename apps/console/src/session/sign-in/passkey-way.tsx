import { useMutation } from '@tanstack/react-query';
import { Button } from '../../look/button/button.tsx';
import { Notice } from '../../look/state/notice.tsx';
import css from '../session.module.css';
import { signInWithPasskey } from './sign-in.ts';

interface PasskeyWayProps {
  /** Whether the service has a name here: browsers make passkeys for no other address. */
  readonly isPossible: boolean;
  readonly onSignedIn: () => void;
  /** Leads to the provider, where the passkey alone does not do any more; without it the person goes there. */
  readonly onNeedsProvider?: () => void;
}

/** Signs in with a passkey, for whoever has registered one. */
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
