import type { StaffRole } from '@insurance-verification/schema';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Bounds } from '../access/bounds.tsx';
import { AccountField, type FoundAccount } from '../access/choose-account.tsx';
import { api } from '../api/api.ts';
import { serverNow } from '../api/server-time.ts';
import { Button, CopyButton } from '../look/button.tsx';
import { plain } from '../look/clock.ts';
import { FormDialog } from '../look/dialog.tsx';
import { Field, TextInput } from '../look/field.tsx';
import { Named } from '../look/ids.tsx';
import css from '../look/layout.module.css';
import { Mark, Unseen } from '../look/mark.tsx';
import { Empty } from '../look/notice.tsx';
import { Page } from '../look/page.tsx';
import { PagedList } from '../look/paged-list.tsx';
import { type Column, IdCell } from '../look/table.tsx';
import { Time, useZone } from '../look/time.tsx';
import { useWays } from '../session/sign-in/sign-in.ts';
import {
  LinkDialog,
  type Person,
  PersonDialog,
  RoleChoice,
  rolesFor,
  rolesInWords,
} from './person-dialog.tsx';
import { SessionsPart } from './sessions-part.tsx';

/** `/staff`: the people with their roles, and the live sessions. */
export function StaffPage() {
  const [isAdding, setIsAdding] = useState(false);
  const [changing, setChanging] = useState<Person | null>(null);
  const queries = useQueryClient();
  const needsPasskey = useWays().data?.way === 'passkey';
  const close = () => {
    setIsAdding(false);
    setChanging(null);
    for (const name of ['staff.list', 'sessions.list']) void queries.invalidateQueries({ queryKey: [name] });
  };
  const columns: readonly Column<Person>[] = [
    {
      head: 'Name',
      is: 'name',
      cell: ({ staff_id: id, name }) => (
        <IdCell>
          {name}
          <CopyButton text={id} name={`the id of ${name}`} />
        </IdCell>
      ),
    },
    {
      head: 'Standing',
      cell: (person) => (
        <span className={css.standing}>
          <Standing person={person} needsPasskey={needsPasskey} />
          {person.ended_at === null && (
            <Button onClick={() => setChanging(person)}>
              Change …<Unseen> {person.name}</Unseen>
            </Button>
          )}
        </span>
      ),
    },
    {
      head: 'Works for',
      is: 'words',
      from: 'middle',
      cell: ({ account_id: id, account_name: name }) =>
        id === null ? 'The platform' : <Named id={id} name={name ?? ''} />,
    },
    {
      head: 'Passkeys',
      is: 'number',
      from: 'middle',
      cell: ({ ended_at: ended, passkey_count: count }) => ended === null && count,
    },
    {
      head: 'Last seen',
      from: 'middle',
      cell: ({ last_seen_at: at }) => at !== null && <Time at={at} />,
    },
    { head: 'Added', from: 'wide', cell: (person) => <Time at={person.created_at} /> },
    {
      head: 'Roles',
      is: 'words',
      cell: (person) => (
        <>
          {rolesInWords(person.roles)}
          <Bounds within={person.verify_within} />
          {person.allowed_cidrs && `. Only from ${person.allowed_cidrs.join(', ')}`}
        </>
      ),
    },
  ];
  return (
    <Page
      title="Staff"
      actions={
        <Button kind="primary" onClick={() => setIsAdding(true)}>
          Add a person
        </Button>
      }
    >
      <PagedList
        operation="staff.list"
        read={(page, signal) => api.staff.list.query(page, { signal })}
        nouns={['person', 'people']}
        columns={columns}
        keyOf={({ staff_id: id }) => id}
        none={<Empty title="No people yet">Everyone who signs in has a row here. Add the first.</Empty>}
      />
      <SessionsPart whose="everyone" />
      {isAdding && <AddPersonDialog onClose={close} />}
      {changing && <PersonDialog person={changing} onClose={close} />}
    </Page>
  );
}

interface StandingProps {
  readonly person: Person;
  /** Whether people sign in with a passkey, and so not before they have one. */
  readonly needsPasskey: boolean;
}

/** Whether a person may sign in, and until when an invitation of theirs is open. */
function Standing({ person, needsPasskey }: StandingProps) {
  const { ended_at: ended, invited_until: until, passkey_count: passkeys } = person;
  if (ended !== null) return <Mark tone="quiet">Ended</Mark>;
  const mayNot = needsPasskey && passkeys === 0;
  return (
    <>
      {!mayNot && <Mark tone="good">May sign in</Mark>}
      {until !== null && <InvitedUntil at={until} />}
      {mayNot && until === null && <Mark tone="warn">Not invited</Mark>}
    </>
  );
}

/** `Invited until Dec 2`; on the day itself with the time. */
function InvitedUntil({ at }: { readonly at: string }) {
  const { zone } = useZone();
  return (
    <span title={at}>
      <Mark tone="wait">{`Invited until ${shortMoment(at, serverNow(), zone)}`}</Mark>
    </span>
  );
}

/** Adds a person, of the platform or of one account, and shows the link that signs them in. */
function AddPersonDialog({ onClose }: { readonly onClose: () => void }) {
  const [name, setName] = useState('');
  const [account, setAccount] = useState<FoundAccount | null>(null);
  const accountId = account?.account_id ?? null;
  const [roles, setRoles] = useState<StaffRole[]>([]);
  const add = useMutation({
    mutationFn: () => api.staff.add.mutate({ name: name.trim(), roles, account_id: accountId }),
  });
  if (add.data) return <LinkDialog name={add.data.name} link={add.data.link} onClose={onClose} />;
  return (
    <FormDialog
      title="Add a person"
      act="Add the person"
      isReady={name.trim() !== '' && roles.length > 0}
      doing={add}
      onSubmit={() => add.mutate()}
      onClose={onClose}
    >
      <Field label="Name" htmlFor="person-name">
        <TextInput
          id="person-name"
          autoComplete="off"
          value={name}
          onChange={(event) => setName(event.target.value)}
        />
      </Field>
      <AccountField
        label="Works for"
        none="The platform: every account"
        account={account}
        onChange={(chosen) => {
          setAccount(chosen);
          setRoles(rolesFor(chosen?.account_id ?? null, roles));
        }}
      />
      <RoleChoice roles={roles} accountId={accountId} onChange={setRoles} />
    </FormDialog>
  );
}

/** `Dec 2`, and within a day of now `2:30 PM`, in a zone. */
function shortMoment(at: string, now: number, timeZone: string): string {
  const isNear = Math.abs(Date.parse(at) - now) < 86_400_000;
  const parts = isNear
    ? ({ hour: 'numeric', minute: '2-digit' } as const)
    : ({ month: 'short', day: 'numeric' } as const);
  return plain(new Intl.DateTimeFormat('en-US', { ...parts, timeZone }).format(new Date(at)));
}
