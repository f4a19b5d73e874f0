import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api, type Outputs } from '../api/api.ts';
import { Button } from '../look/button.tsx';
import { FormDialog } from '../look/dialog.tsx';
import css from '../look/layout.module.css';
import { Loaded, SkeletonRows } from '../look/loaded.tsx';
import { Unseen } from '../look/mark.tsx';
import { Empty, Notice } from '../look/notice.tsx';
import { type Column, Table } from '../look/table.tsx';
import { Time } from '../look/time.tsx';
import { PasskeyName, useMakePasskey } from '../session/sign-in/make-passkey.tsx';
import { useWays } from '../session/sign-in/sign-in.ts';
import { NeedsName } from '../session/sign-in/ways-in.tsx';

export type Passkey = Outputs['passkeys']['list']['items'][number];

/** The passkeys of the signed-in person: a list, and buttons that add and remove one. */
export function PasskeysPart() {
  const queries = useQueryClient();
  const ways = useWays();
  const [isAdding, setIsAdding] = useState(false);
  const [ending, setEnding] = useState<Passkey | null>(null);
  const query = useQuery({
    queryKey: ['passkeys.list'],
    queryFn: ({ signal }) => api.passkeys.list.query({}, { signal }),
    placeholderData: keepPreviousData,
  });
  const close = () => {
    setIsAdding(false);
    setEnding(null);
    void queries.invalidateQueries({ queryKey: ['passkeys.list'] });
  };
  const { provider, way } = ways.data ?? { provider: null, way: null };
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
        {way === 'link' && ', in place of a link'}
        {way === 'provider' && `, within 12 hours of each sign-in with ${provider}`}.
      </p>
      {ways.data?.passkeys === false && <NeedsName />}
      <Loaded query={query} what="list" skeleton={<SkeletonRows count={2} />}>
        {({ items }) =>
          items.length === 0 ? (
            <Empty title="You have no passkey">Add one on each device that you sign in from.</Empty>
          ) : (
            <>
              {way === 'passkey' && items.length === 1 && (
                <Notice tone="warn">
                  Add a second passkey, on another device: without it, a lost one keeps you out until an
                  administrator invites you again.
                </Notice>
              )}
              <Table
                caption="Your passkeys, newest first"
                items={items}
                columns={columns}
                keyOf={({ passkey_id: id }) => id}
              />
            </>
          )
        }
      </Loaded>
      <div>
        <Button disabled={ways.data?.passkeys !== true} onClick={() => setIsAdding(true)}>
          Add a passkey …
        </Button>
      </div>
      {isAdding && <AddPasskeyDialog onAdded={close} onClose={() => setIsAdding(false)} />}
      {ending && (
        <EndPasskeyDialog
          passkey={ending}
          owner={null}
          isOnly={query.data?.items.length === 1}
          onAddFirst={() => {
            setEnding(null);
            setIsAdding(true);
          }}
          onEnded={close}
          onClose={() => setEnding(null)}
        />
      )}
    </section>
  );
}

interface AddPasskeyDialogProps {
  readonly onAdded: () => void;
  readonly onClose: () => void;
}

/** A dialog that asks for a name and adds a passkey of this browser. */
function AddPasskeyDialog({ onAdded, onClose }: AddPasskeyDialogProps) {
  const [name, setName] = useState('');
  const make = useMakePasskey(onAdded);
  return (
    <FormDialog
      title="Add a passkey"
      act="Add it"
      isReady={name.trim() !== ''}
      doing={make}
      onSubmit={() => make.mutate(name)}
      onClose={onClose}
    >
      {make.data && <Notice tone="bad">{make.data}</Notice>}
      <p>
        The browser asks for your fingerprint, your face or a PIN. What it keeps never leaves your device, or
        what you share your passwords with.
      </p>
      <PasskeyName name={name} example="Laptop at the desk" onChange={setName} />
    </FormDialog>
  );
}

interface EndPasskeyDialogProps {
  readonly passkey: Passkey;
  /** Whose it is; null for the person's own. */
  readonly owner: string | null;
  /** Whether the person has no other. */
  readonly isOnly: boolean;
  /** Adds a second one first; absent where it is another person's. */
  readonly onAddFirst?: (() => void) | undefined;
  readonly onEnded: () => void;
  readonly onClose: () => void;
}

/** A dialog that asks for confirmation and removes a passkey. */
export function EndPasskeyDialog({
  passkey,
  owner,
  isOnly,
  onAddFirst,
  onEnded,
  onClose,
}: EndPasskeyDialogProps) {
  const { data: ways } = useWays();
  const end = useMutation({
    mutationFn: () => api.passkeys.end.mutate({ passkey_id: passkey.passkey_id }),
    onSuccess: onEnded,
  });
  return (
    <FormDialog
      title={`Remove ${passkey.name}`}
      act="Remove the passkey"
      kind="danger"
      doing={end}
      onSubmit={() => end.mutate()}
      onClose={onClose}
    >
      {isOnly && ways?.way === 'passkey' && <OnlyPasskey owner={owner} onAddFirst={onAddFirst} />}
      <p>
        It no longer signs {owner ?? 'you'} in. Sessions that it began stay open; you end them in the list of
        sessions.
      </p>
    </FormDialog>
  );
}

/** Says who is kept out without a person's only passkey, and asks for a second one first. */
function OnlyPasskey({ owner, onAddFirst }: Pick<EndPasskeyDialogProps, 'owner' | 'onAddFirst'>) {
  return (
    <Notice tone="warn" action={onAddFirst && <Button onClick={onAddFirst}>Add a second first …</Button>}>
      This is {owner === null ? 'your' : 'their'} only passkey. Without it {owner ?? 'you'} cannot sign in
      until an administrator sends another invitation; without another administrator, only the one that is
      made on the service’s own machine lets anyone in.{' '}
      {owner === null
        ? 'Add a second passkey first, on another device.'
        : `Ask ${owner} to add a second passkey first, unless this one is lost.`}
    </Notice>
  );
}
