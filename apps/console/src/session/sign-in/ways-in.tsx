import { useMutation, useQuery } from '@tanstack/react-query';
import { type ComponentProps, useEffect, useEffectEvent, useId, useRef } from 'react';
import { Button } from '../../look/button.tsx';
import { Field, TextInput, textOf } from '../../look/field.tsx';
import formCss from '../../look/form.module.css';
import { Notice } from '../../look/notice.tsx';
import css from '../session.module.css';
import {
  goToProvider,
  type Link,
  lookAtLink,
  signIn,
  signInByInvitation,
  signInWithPasskey,
  tokenOf,
  type Ways,
} from './sign-in.ts';

interface PasskeyWayProps {
  readonly ways: Ways;
  readonly onSignedIn: () => void;
  /** Called for `passkey_needs_provider`; without it the refusal is only shown. */
  readonly onNeedsProvider?: () => void;
}

/** The button that signs in with a passkey. */
export function PasskeyWay({ ways, onSignedIn, onNeedsProvider }: PasskeyWayProps) {
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
  if (!ways.passkeys) return <NeedsName />;
  return (
    <>
      {refusal && <Notice tone="bad">{refusal.sentence}</Notice>}
      <Button
        kind={ways.way === 'passkey' ? 'primary' : 'plain'}
        disabled={isPending}
        onClick={() => mutate()}
      >
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

interface LinkQuestionProps {
  readonly token: string;
  readonly ways: Ways;
  /** The page below `/console` that the provider leads back to. */
  readonly page: string;
  readonly onSignedIn: () => void;
  /** Why the link cannot sign the person in; null where the person does not want it to. */
  readonly onLeft: (failure: string | null, link?: Link) => void;
}

/** Says whom a link signs in, and waits for a click: any site can open a link of its own in a person's browser. */
export function LinkQuestion({ token, ways, page, onSignedIn, onLeft }: LinkQuestionProps) {
  const { data: link } = useQuery({
    queryKey: ['sign-in link', token],
    queryFn: () => lookAtLink(token),
    networkMode: 'always', // it is who has no session that asks
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });
  const failure = typeof link === 'string' ? link : null;
  const leave = useEffectEvent(() => failure !== null && onLeft(failure));
  useEffect(() => void leave(), [failure]);
  const isInvitation = ways.way === 'passkey';
  const {
    mutate,
    data: refusal,
    isPending,
  } = useMutation({
    mutationFn: () => {
      if (isInvitation) return signInByInvitation(token);
      return ways.way === 'link' ? signIn(token) : goToProvider(page, { invitation: token });
    },
    onSuccess: (failed) => {
      if (failed === null) onSignedIn();
      else if (!isInvitation) onLeft(failed); // a passkey may be tried again with the same invitation
    },
  });
  if (link === undefined || typeof link === 'string') return <p role="status">Reading the link …</p>;
  const { name, replaces } = link;
  return (
    <>
      <Whom link={link} ways={ways} />
      {replaces !== null && (
        <Notice tone="warn">You are signed in as {replaces}. If you go on, that session ends.</Notice>
      )}
      {isInvitation && refusal && <Notice tone="bad">{refusal}</Notice>}
      {isInvitation && !ways.passkeys && <NeedsName />}
      <div className={formCss.form}>
        <Button
          kind="primary"
          disabled={isPending || (isInvitation && !ways.passkeys)}
          onClick={() => mutate()}
        >
          {
            {
              link: `Sign in as ${name}`,
              passkey: 'Make a passkey and sign in',
              provider: `Continue to ${ways.provider}`,
            }[ways.way]
          }
        </Button>
        <Button onClick={() => onLeft(null, link)}>
          {replaces === null ? 'This is not me' : `Stay signed in as ${replaces}`}
        </Button>
      </div>
    </>
  );
}

interface WhomProps {
  readonly link: Link;
  readonly ways: Ways;
}

/** Takes the focus, so that a screen reader speaks it, and no key that was meant for another page presses a button. */
function Whom({ link: { name, account_name: account }, ways: { way, provider } }: WhomProps) {
  const ref = useRef<HTMLParagraphElement>(null);
  useEffect(() => ref.current?.focus(), []);
  const person = (
    <>
      <strong>{name}</strong> of <strong>{account ?? 'the platform'}</strong>
    </>
  );
  return (
    <p ref={ref} tabIndex={-1} className={css.whom}>
      {way === 'link' && <>This link signs you in as {person}.</>}
      {way === 'passkey' && (
        <>
          This invitation is for {person}. Next your browser makes a passkey and asks for your fingerprint,
          your face or a PIN: from then on the passkey signs you in as this person.
        </>
      )}
      {way === 'provider' && (
        <>
          This invitation is for {person}. Next you sign in at {provider}: from then on your account there
          signs you in as this person.
        </>
      )}
    </p>
  );
}

interface SignInFormProps {
  /** Why the last link failed; null without one. */
  readonly fault: string | null;
  readonly onToken: (token: string) => void;
}

/** A field for a sign-in link or its token. Autocomplete is off, so the browser does not store it. */
export function SignInForm({ fault, onToken }: SignInFormProps) {
  const id = useId();
  const submit: NonNullable<ComponentProps<'form'>['onSubmit']> = (event) => {
    event.preventDefault();
    onToken(tokenOf(textOf(event.currentTarget, 'link')));
  };
  return (
    <form className={formCss.form} onSubmit={submit}>
      <Field label="Sign-in link" htmlFor={id} fault={fault ?? undefined}>
        <TextInput id={id} name="link" autoComplete="off" spellCheck={false} invalid={fault !== null} />
      </Field>
      <Button kind="primary" type="submit">
        Sign in
      </Button>
    </form>
  );
}

/** A sentence that says where to get a link; for services without a provider. */
export function HowToGetLink() {
  return (
    <p className={css.how}>
      Type <code>npx -y pnpm@12 iv console</code> where the service runs. It prints a link that works once,
      for 30 minutes. An administrator can also make one for you.
    </p>
  );
}

/** Says how to get in where only passkeys sign people in. */
export function HowToGetPasskey() {
  return (
    <p className={css.how}>
      Your passkey signs you in, with your fingerprint, your face or a PIN. Without one, or with a lost one,
      ask an administrator for an invitation, and open its link.
    </p>
  );
}
