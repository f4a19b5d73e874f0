import type { Scope, StaffRole } from '@insurance-verification/schema';
import { Empty } from './empty.tsx';

/** Whose job each scope is. */
const ROLES: Readonly<Record<Scope, readonly StaffRole[]>> = {
  requests: ['requester', 'viewer'],
  secrets: ['admin'],
  verify: ['verifier'],
  operate: ['operator'],
  admin: ['admin'],
  audit: ['auditor'],
  privacy: ['privacy'],
};

/** The roles any one of which has one of these scopes. */
const rolesWith = (scopes: readonly Scope[]): StaffRole[] => [
  ...new Set(scopes.flatMap((scope) => ROLES[scope])),
];

interface NoPermissionProps {
  readonly scopes: readonly Scope[];
  /** The roles that would, where not all that have such a scope do: some of them only read. */
  readonly roles?: readonly StaffRole[];
}

/** Where a role does not lead: which one would. */
export function NoPermission({ scopes, roles = rolesWith(scopes) }: NoPermissionProps) {
  const named = new Intl.ListFormat('en', { type: 'disjunction' }).format(roles);
  return (
    <Empty title="Your role does not show this">
      It needs {named === '' ? 'another role' : `the role ${named}`}. An administrator can give it to you.
    </Empty>
  );
}
