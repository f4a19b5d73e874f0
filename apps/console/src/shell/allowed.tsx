import type { ReactNode } from 'react';
import { useLocation } from 'wouter';
import { Page } from '../look/page/page.tsx';
import { NoPermission } from '../look/state/no-permission.tsx';
import type { Me } from '../session/use-me.ts';
import { placeClosedTo } from './places.ts';

/**
 * Shows which role a page needs where the person lacks it, instead of the page. The service checks each call anyway.
 */
export function Allowed({ me, children }: { readonly me: Me; readonly children: ReactNode }) {
  const [path] = useLocation();
  const closed = placeClosedTo(me, path);
  if (!closed) return <>{children}</>;
  return (
    <Page title={closed.name}>
      <NoPermission scopes={closed.scopes} />
    </Page>
  );
}
