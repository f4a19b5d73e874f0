import type { Scope, StaffRole } from '@insurance-verification/schema';
import { Empty } from './empty.tsx';

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
