import type { Scope } from '@insurance-verification/schema';
import { rolesWith } from '../../session/roles-with.ts';
import { Empty } from './empty.tsx';

/** Where a role does not lead: which one would. */
export function NoPermission({ scopes }: { readonly scopes: readonly Scope[] }) {
  const roles = new Intl.ListFormat('en', { type: 'disjunction' }).format(rolesWith(scopes));
  return (
    <Empty title="Your role does not show this">
      It needs {roles === '' ? 'another role' : `the role ${roles}`}. An administrator can give it to you.
    </Empty>
  );
}
