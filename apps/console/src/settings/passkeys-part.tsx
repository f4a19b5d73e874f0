import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api, type Outputs } from '../api/api.ts';
import { failureOf } from '../api/failure.ts';
import { Button } from '../look/button.tsx';
import { FormDialog } from '../look/dialog.tsx';
import { Field, TextInput } from '../look/field.tsx';
import css from '../look/layout.module.css';
import { Loaded, SkeletonRows } from '../look/loaded.tsx';
import { Unseen } from '../look/mark.tsx';
import { Empty, Notice } from '../look/notice.tsx';
import { type Column, Table } from '../look/table.tsx';
import { Time } from '../look/time.tsx';
import { hasPasskeys, TOO_OLD, useWays, wordsOfBrowser } from '../session/sign-in/sign-in.ts';
import { NeedsName } from '../session/sign-in/ways-in.tsx';

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

interface AddPasskeyDialogProps {
  readonly onAdded: () => void;
  readonly onClose: () => void;
}

/** A dialog that asks for a name and adds a passkey of this browser. */
function AddPasskeyDialog({ onAdded, onClose }: AddPasskeyDialogProps) {
  const [name, setName] = useState('');
  const make = useMutation({
    mutationFn: () => makePasskey(name.trim()),
    onSuccess: (failed) => {
      if (failed === null) onAdded();
    },
  });
  return (
    <FormDialog
      title="Add a passkey"
      act="Add it"
      isReady={name.trim() !== ''}
      doing={make}
      onSubmit={() => make.mutate()}
      onClose={onClose}
    >
      {make.data && <Notice tone="bad">{make.data}</Notice>}
      <p>
        The browser asks for your fingerprint, your face or a PIN. What it keeps never leaves your device, or
        what you share your passwords with.
      </p>
      <Field label="Name" htmlFor="passkey-name">
        <TextInput
          id="passkey-name"
          autoComplete="off"
          placeholder="Laptop at the desk"
          maxLength={100}
          value={name}
          onChange={(event) => setName(event.target.value)}
        />
      </Field>
    </FormDialog>
  );
}

type EndedPasskey = Outputs['passkeys']['list']['items'][number];

interface EndPasskeyDialogProps {
  readonly passkey: EndedPasskey;
  readonly onEnded: () => void;
  readonly onClose: () => void;
}

/** A dialog that asks for confirmation and removes a passkey. */
function EndPasskeyDialog({ passkey, onEnded, onClose }: EndPasskeyDialogProps) {
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
      <p>It signs you in no more. Sessions that it began go on; you end them below.</p>
    </FormDialog>
  );
}

type NewCredential = Parameters<typeof api.passkeys.add.mutate>[0]['credential'];

/**
 * Creates a passkey in this browser (WebAuthn) and registers it for the signed-in person.
 * @returns null once it is registered; else a sentence that says why it is not.
 */
async function makePasskey(name: string): Promise<string | null> {
  if (!hasPasskeys()) return TOO_OLD;
  try {
    const { token, options } = await api.passkeys.begin.mutate();
    const asked = options as unknown as PublicKeyCredentialCreationOptionsJSON;
    const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(asked);
    const made = (await navigator.credentials.create({ publicKey })) as PublicKeyCredential | null;
    await api.passkeys.add.mutate({ token, name, credential: made?.toJSON() as NewCredential });
    return null;
  } catch (err) {
    if (err instanceof DOMException) return wordsOfBrowser(err);
    const { faults, sentence } = failureOf(err);
    return faults[0] ? `${faults[0].msg}.` : sentence;
  }
}
