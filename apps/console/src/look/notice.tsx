import type { Scope, StaffRole } from '@insurance-verification/schema';
import { type ReactNode, useEffect, useState } from 'react';
import { failureOf } from '../api/failure.ts';
import { Icon } from './mark.tsx';
import css from './notice.module.css';

interface NoticeProps {
  readonly tone: 'bad' | 'warn' | 'good';
  readonly children: ReactNode;
  /** A button or link for what can be done about it. */
  readonly action?: ReactNode;
}

/**
 * Milliseconds after which the text of a status is set: screen readers speak only a change in a region that exists
 * already.
 */
const WORDS_AFTER_MS = 100;

/** A message. Screen readers interrupt for `bad` and `warn` (role alert), and wait for `good` (role status). */
export function Notice({ tone, children, action }: NoticeProps) {
  const isStatus = tone === 'good';
  const [isThere, setIsThere] = useState(!isStatus);
  useEffect(() => {
    const timer = setTimeout(() => setIsThere(true), WORDS_AFTER_MS);
    return () => clearTimeout(timer);
  }, []);
  return (
    <div className={`${css.notice} ${css[tone]}`} role={isStatus ? 'status' : 'alert'}>
      <Icon name={tone} />
      <div>{isThere && children}</div>
      {action}
    </div>
  );
}

interface FailureNoticeProps {
  readonly error: unknown;
  readonly action?: ReactNode;
}

/** A failed call as a sentence, with its trace id in the log. */
export function FailureNotice({ error, action }: FailureNoticeProps) {
  const { faults, sentence, trace } = failureOf(error);
  return (
    <Notice tone="bad" action={action}>
      {faults[0]?.msg ?? sentence}
      <Trace ids={trace === undefined ? [] : [trace]} />
    </Notice>
  );
}

/** The trace id of a failed call, by which the service's log is searched. */
export function Trace({ ids }: { readonly ids: readonly string[] }) {
  if (ids.length === 0) return null;
  return (
    <>
      {' '}
      If this keeps happening, contact your administrator and quote trace <code>{ids.join(', ')}</code>.
    </>
  );
}

/** The roles that have each scope. */
const ROLES: Readonly<Record<Scope, readonly StaffRole[]>> = {
  requests: ['requester', 'viewer'],
  secrets: ['admin'],
  verify: ['verifier'],
  operate: ['operator'],
  admin: ['admin'],
  audit: ['auditor'],
  privacy: ['privacy'],
};

/** The roles that have at least one of these scopes. */
const rolesWith = (scopes: readonly Scope[]): StaffRole[] => [
  ...new Set(scopes.flatMap((scope) => ROLES[scope])),
];

interface NoPermissionProps {
  readonly scopes: readonly Scope[];
  /** The roles that may, where not all with such a scope do, since some only read. */
  readonly roles?: readonly StaffRole[];
}

/** In place of a page that the person may not open: the roles that may. */
export function NoPermission({ scopes, roles = rolesWith(scopes) }: NoPermissionProps) {
  const named = new Intl.ListFormat('en', { type: 'disjunction' }).format(roles);
  return (
    <Empty title="Your role does not show this">
      It needs {named === '' ? 'another role' : `the role ${named}`}. An administrator can give it to you.
    </Empty>
  );
}

/** In place of an empty list: what would fill it. */
export function Empty({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <div className={css.empty}>
      <h2>{title}</h2>
      <div>{children}</div>
    </div>
  );
}
