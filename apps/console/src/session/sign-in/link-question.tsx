import { useMutation, useQuery } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useRef } from 'react';
import { Button } from '../../look/button/button.tsx';
import { Notice } from '../../look/state/notice.tsx';
import css from '../session.module.css';
import { goToProvider, type Ways } from './provider.ts';
import { type Link, lookAtLink, signIn } from './sign-in.ts';

interface LinkQuestionProps {
  readonly token: string;
  readonly ways: Ways;
  /** The page below `/console` that the provider leads back to. */
  readonly page: string;
  readonly onSignedIn: () => void;
  /** Why the link signs nobody in; null where the person does not want it to. */
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
  const { mutate, isPending } = useMutation({
    mutationFn: () => (ways.provider === null ? signIn(token) : goToProvider(page, { invitation: token })),
    onSuccess: (failed) => (failed === null ? onSignedIn() : onLeft(failed)),
  });
  if (link === undefined || typeof link === 'string') return <p role="status">Reading the link …</p>;
  const { name, replaces } = link;
  return (
    <>
      <Whom link={link} provider={ways.provider} />
      {replaces !== null && (
        <Notice tone="warn">You are signed in as {replaces}. If you go on, that session ends.</Notice>
      )}
      <div className={css.form}>
        <Button kind="primary" disabled={isPending} onClick={() => mutate()}>
          {ways.provider === null ? `Sign in as ${name}` : `Go on to ${ways.provider}`}
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
  readonly provider: string | null;
}

/** Takes the focus, so that whoever listens hears it, and no key that was meant for another page presses a button. */
function Whom({ link: { name, account_name: account }, provider }: WhomProps) {
  const ref = useRef<HTMLParagraphElement>(null);
  useEffect(() => ref.current?.focus(), []);
  const person = (
    <>
      <strong>{name}</strong> of <strong>{account ?? 'the platform'}</strong>
    </>
  );
  return (
    <p ref={ref} tabIndex={-1} className={css.whom}>
      {provider === null ? (
        <>This link signs you in as {person}.</>
      ) : (
        <>
          This invitation is for {person}. Next you sign in at {provider}: from then on your account there
          signs you in as this person.
        </>
      )}
    </p>
  );
}
