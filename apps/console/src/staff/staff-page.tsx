import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { AccessList } from '../access/access-list.tsx';
import css from '../access/access.module.css';
import { Bounds } from '../access/bounds.tsx';
import { api } from '../api/api.ts';
import { Button } from '../look/button/button.tsx';
import { CopyButton } from '../look/button/copy-button.tsx';
import { Mark } from '../look/mark.tsx';
import { Page } from '../look/page/page.tsx';
import { Empty } from '../look/state/empty.tsx';
import { Named } from '../look/table/named.tsx';
import { type Column, IdCell } from '../look/table/table.tsx';
import { Time } from '../look/time/time.tsx';
import { Unseen } from '../look/unseen.tsx';
import { AddPersonDialog } from './add-person-dialog.tsx';
import { type Person, PersonDialog } from './person-dialog.tsx';
import { rolesInWords } from './roles.tsx';
import { SessionsPart } from './sessions-part.tsx';

/** `/staff`: the people with their roles, and the live sessions. */
export function StaffPage() {
  const [isAdding, setIsAdding] = useState(false);
  const [changing, setChanging] = useState<Person | null>(null);
  const queries = useQueryClient();
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
          {person.ended_at === null ? <Mark tone="good">May sign in</Mark> : <Mark tone="quiet">Ended</Mark>}
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
    { head: 'Added', from: 'middle', cell: (person) => <Time at={person.created_at} /> },
    {
      head: 'Roles',
      is: 'words',
      cell: (person) => (
        <>
          {rolesInWords(person.roles)}
          <Bounds within={person.verify_within} />
          {person.allowed_cidrs && `. From ${person.allowed_cidrs.join(', ')} alone`}
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
      <AccessList
        name="staff.list"
        read={(page, signal) => api.staff.list.query(page, { signal })}
        caption="People, newest first"
        columns={columns}
        keyOf={({ staff_id: id }) => id}
        empty={<Empty title="Nobody yet">Everyone who signs in has a row here. Add the first.</Empty>}
      />
      <SessionsPart whose="everyone" />
      {isAdding && <AddPersonDialog onClose={close} />}
      {changing && <PersonDialog person={changing} onClose={close} />}
    </Page>
  );
}
