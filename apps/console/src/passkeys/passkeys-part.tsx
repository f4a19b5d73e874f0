import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import css from '../access/access.module.css';
import { api, type Outputs } from '../api/api.ts';
import { Button } from '../look/button/button.tsx';
import { Empty } from '../look/state/empty.tsx';
import { Loaded } from '../look/state/loaded.tsx';
import { SkeletonRows } from '../look/state/skeleton.tsx';
import { type Column, Table } from '../look/table/table.tsx';
import { Time } from '../look/time/time.tsx';
import { Unseen } from '../look/unseen.tsx';
import { NeedsName } from '../session/sign-in/passkey-way.tsx';
import { useWays } from '../session/sign-in/provider.ts';
import { AddPasskeyDialog } from './add-passkey-dialog.tsx';
import { type EndedPasskey, EndPasskeyDialog } from './end-passkey-dialog.tsx';

type Passkey = Outputs['passkeys']['list']['items'][number];

/** The passkeys of the signed-in person: a list, and buttons that add and remove one. */
export function PasskeysPart() {
  const queries = useQueryClient();
  const ways = useWays();
  const [isAdding, setIsAdding] = useState(false);
  const [ending, setEnding] = useState<EndedPasskey | null>(null);
  const query = useQuery({
    queryKey: ['passkeys.list'],
    queryFn: ({ signal }) => api.passkeys.list.query(undefined, { signal }),
    placeholderData: keepPreviousData,
  });
  const close = () => {
    setIsAdding(false);
    setEnding(null);
    void queries.invalidateQueries({ queryKey: ['passkeys.list'] });
  };
  const provider = ways.data?.provider ?? null;
  const columns: readonly Column<Passkey>[] = [
    { head: 'Name', is: 'name', cell: ({ name }) => name },
    {
      head: 'Passkey',
      cell: (passkey) => (
        <span className={css.standing}>
          <Button onClick={() => setEnding(passkey)}>
            Remove …<Unseen> {passkey.name}</Unseen>
          </Button>
        </span>
      ),
    },
    { head: 'Added', from: 'middle', cell: (passkey) => <Time at={passkey.created_at} /> },
    { head: 'Last used', cell: ({ last_used_at: at }) => (at === null ? 'Never' : <Time at={at} />) },
  ];
  return (
    <section className={css.part}>
      <h2>Passkeys</h2>
      <p>
        A passkey signs you in with your fingerprint, your face or a PIN
        {provider === null ? ', in place of a link' : `, within 12 hours of each sign-in with ${provider}`}.
      </p>
      {ways.data?.passkeys === false && <NeedsName />}
      <Loaded query={query} what="list" skeleton={<SkeletonRows count={2} />}>
        {({ items }) =>
          items.length === 0 ? (
            <Empty title="You have no passkey">Add one on each device that you sign in from.</Empty>
          ) : (
            <Table
              caption="Your passkeys, newest first"
              items={items}
              columns={columns}
              keyOf={({ passkey_id: id }) => id}
            />
          )
        }
      </Loaded>
      <div>
        <Button disabled={ways.data?.passkeys !== true} onClick={() => setIsAdding(true)}>
          Add a passkey …
        </Button>
      </div>
      {isAdding && <AddPasskeyDialog onAdded={close} onClose={() => setIsAdding(false)} />}
      {ending && <EndPasskeyDialog passkey={ending} onEnded={close} onClose={() => setEnding(null)} />}
    </section>
  );
}
