import { useMutation } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Link, useLocation } from 'wouter';
import { showDemoDay, showsDemoDay } from '../api/acts-for.ts';
import { api } from '../api/api.ts';
import { failureOf } from '../api/failure.ts';
import { Button } from '../look/button.tsx';
import layoutCss from '../look/layout.module.css';
import { Notice } from '../look/notice.tsx';
import { Page } from '../look/page.tsx';
import type { Me } from '../session/use-me.ts';
import { ClearDemoDay } from './clear-demo-day.tsx';
import css from './start.module.css';

/** `/start`: the first steps with a new service. */
export function StartPage({ me }: { readonly me: Me }) {
  const may = (...scopes: Me['scopes']) => scopes.some((scope) => me.scopes.includes(scope));
  return (
    <Page title="Start">
      <p className={css.lead}>
        A provider posts a request about a patient. The service verifies it with the payer. The signed result
        goes to the provider’s address. See it happen, then make it yours.
      </p>
      <ol className={css.steps}>
        {may('operate') && (
          <Step title="See one request go through">
            <PlayDemo />
          </Step>
        )}
        <Step title="Post a request of your own">
          <p>
            The start printed a <code>curl</code> line to paste into a terminal, and the{' '}
            <a href="/docs">API reference</a> has a form. Each request shows under{' '}
            <Link href="/requests">Requests</Link> as it arrives.
          </p>
        </Step>
        {may('verify') && (
          <Step title="Find something out">
            <p>
              <Link href="/work">Work</Link> gives you the next request that waits, with the payer’s phone
              number and portal beside the form.
            </p>
          </Step>
        )}
        {may('admin') && (
          <Step title="Add the people you work with">
            <p>
              <Link href="/staff">Staff</Link> makes a sign-in link for each, and{' '}
              <Link href="/keys">Keys</Link> a key for each program.
            </p>
          </Step>
        )}
      </ol>
    </Page>
  );
}

function Step({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <li>
      <h2>{title}</h2>
      {children}
    </li>
  );
}

/**
 * Creates a demo request (`demo.play`), which the sandbox verifies and whose webhook the service itself receives, and
 * opens its page; or a whole day of them (`demo.playDay`), and acts for one of its clinics.
 */
function PlayDemo() {
  const [, go] = useLocation();
  const play = useMutation({
    mutationFn: () => api.demo.play.mutate(),
    onSuccess: ({ request_id: id }) => go(`/requests/${id}`),
  });
  const playDay = useMutation({
    mutationFn: () => api.demo.playDay.mutate(),
    onSuccess: ({ account_id: id }) => showDemoDay(id),
  });
  const err = play.error ?? playDay.error;
  const failure = err && failureOf(err);
  const isPending = play.isPending || playDay.isPending;
  return (
    <>
      <p>
        It is an invented patient’s, in the test account: no payer is asked. Its page shows each step as it
        happens, to the webhook and its checked signature.
      </p>
      <p>
        A demo day is some 40 requests of three invented clinics: answered, held, overdue, on the phone, given
        up. One click deletes it.
      </p>
      {failure && (
        <Notice tone="bad">
          {failure.kind === 'not_found'
            ? 'This service plays no demo: it runs in production, or has no test account. An admin can make one under Accounts.'
            : failure.sentence}
        </Notice>
      )}
      <div className={layoutCss.row}>
        <Button kind="primary" disabled={isPending} onClick={() => play.mutate()}>
          Play a demo request
        </Button>
        <Button disabled={isPending} onClick={() => playDay.mutate()}>
          Play a demo day
        </Button>
        {showsDemoDay() && <ClearDemoDay />}
      </div>
    </>
  );
}
