import type { Scope, StaffRole } from '@insurance-verification/schema';
import { rolesWith } from '../../session/roles-with.ts';
import { Empty } from './empty.tsx';

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
