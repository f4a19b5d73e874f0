import { createSchemas, type PayerNames } from '@insurance-verification/schema';
import { useMemo } from 'react';
import { Loaded, SkeletonRows } from '../../look/loaded.tsx';
import { NoPermission } from '../../look/notice.tsx';
import { Page } from '../../look/page.tsx';
import { usePayers } from '../../requests/use-payers.ts';
import { useMe } from '../../session/use-me.ts';
import { BatchForm } from './batch-form.tsx';

/** `/batches/new`: a file of rows is read and judged here, and sent as it is. */
export function NewBatchPage() {
  const { data: me } = useMe();
  const payers = usePayers();
  const items = payers.data?.items;
  const schemas = useMemo(
    () => items && createSchemas({ payers: items.map(({ name }) => name) as unknown as PayerNames }),
    [items],
  );
  if (me && !me.scopes.includes('requests'))
    return (
      <Page title="New batch">
        <NoPermission scopes={['requests']} roles={['requester']} />
      </Page>
    );
  return (
    <Page title="New batch">
      {me?.session?.may_switch && (
        <p>
          The batch is of the account <strong>{me.session.account_name}</strong>.
        </p>
      )}
      <Loaded query={payers} what="list" skeleton={<SkeletonRows count={10} />}>
        {() => schemas && <BatchForm schemas={schemas} />}
      </Loaded>
    </Page>
  );
}
