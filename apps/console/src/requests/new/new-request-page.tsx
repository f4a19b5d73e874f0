import { createSchemas, type PayerNames } from '@insurance-verification/schema';
import { useQuery } from '@tanstack/react-query';
import { useHistoryState } from 'wouter/use-browser-location';
import { api } from '../../api/api.ts';
import { Loaded, SkeletonRows } from '../../look/loaded.tsx';
import { NoPermission } from '../../look/notice.tsx';
import { Page } from '../../look/page.tsx';
import { useMe } from '../../session/use-me.ts';
import { usePayers } from '../use-payers.ts';
import { RequestForm } from './request-form.tsx';

/**
 * `/requests/new`: the form of a new request, empty or filled from an earlier one. The history holds only the id of
 * that one; it is read again, which is in the audit.
 */
export function NewRequestPage() {
  const from = useHistoryState<{ readonly from?: string } | null>()?.from;
  const { data: me } = useMe();
  const payers = usePayers();
  const earlier = useQuery({
    queryKey: ['earlier', from],
    queryFn: ({ signal }) =>
      from === undefined ? null : api.requests.get.query({ request_id: from }, { signal }),
    staleTime: Infinity,
    gcTime: 0, // a patient's data stays no longer than the page
  });
  // The newest request has it: an account has no other place for the address that it usually uses.
  const usual = useQuery({
    queryKey: ['usual callback'],
    queryFn: async ({ signal }) => {
      const { items } = await api.requests.list.query({ limit: 1 }, { signal });
      return items[0]?.input.callback_url ?? '';
    },
    enabled: from === undefined && me?.scopes.includes('requests') === true,
    staleTime: Infinity,
    gcTime: 0,
    retry: false, // the address can be typed
  });
  if (me && !me.scopes.includes('requests'))
    return (
      <Page title="New request">
        <NoPermission scopes={['requests']} roles={['requester']} />
      </Page>
    );
  return (
    <Page title="New request">
      {me?.session?.may_switch && (
        <p>
          The request is of the account <strong>{me.session.account_name}</strong>.
        </p>
      )}
      <Loaded query={payers} what="list" skeleton={<SkeletonRows count={10} />}>
        {({ items }) => (
          <Loaded query={earlier} what="request" skeleton={<SkeletonRows count={10} />}>
            {(request) =>
              usual.isLoading ? (
                <SkeletonRows count={10} />
              ) : (
                <RequestForm
                  model={
                    createSchemas({ payers: items.map(({ name }) => name) as unknown as PayerNames })
                      .RequestInfo
                  }
                  earlier={request?.input ?? null}
                  from={from}
                  usualCallback={usual.data ?? ''}
                />
              )
            }
          </Loaded>
        )}
      </Loaded>
    </Page>
  );
}
