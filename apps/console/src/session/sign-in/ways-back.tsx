import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { Button } from '../../look/button.tsx';
import { Notice } from '../../look/notice.tsx';
import { openProvider, useWays } from './sign-in.ts';
import { LinkQuestion, PasskeyWay, HowToGetLink, SignInForm } from './ways-in.tsx';

interface WaysBackProps {
  /** Whether the provider must ask the person again, whatever it remembers. */
  readonly fresh?: boolean;
  /** Called after a sign-in on this page; one in the popup is announced to all tabs instead. */
  readonly onSignedIn: () => void;
}

/** The ways to sign in again without leaving the page. */
export function WaysBack({ fresh = false, onSignedIn }: WaysBackProps) {
  const { data: ways } = useWays();
  const [token, setToken] = useState<string | null>(null);
  const [fault, setFault] = useState<string | null>(null);
  if (!ways) return null;
  if (token !== null)
    return (
      <LinkQuestion
        token={token}
        ways={ways}
        page="/"
        onSignedIn={onSignedIn}
        onLeft={(failure) => {
          setToken(null);
          setFault(failure);
        }}
      />
    );
  return (
    <>
      {ways.way === 'link' && (
        <>
          <HowToGetLink />
          <SignInForm fault={fault} onToken={setToken} />
        </>
      )}
      {ways.provider !== null && <ProviderWindow provider={ways.provider} fresh={fresh} />}
      <PasskeyWay ways={ways} onSignedIn={onSignedIn} />
    </>
  );
}

/** The button that opens the provider in a popup. */
function ProviderWindow({ provider, fresh }: { readonly provider: string; readonly fresh: boolean }) {
  const { mutate, data: failure, isPending } = useMutation({ mutationFn: () => openProvider({ fresh }) });
  return (
    <>
      {failure && <Notice tone="bad">{failure}</Notice>}
      <Button kind="primary" disabled={isPending} onClick={() => mutate()}>
        Sign in with {provider}
      </Button>
    </>
  );
}
