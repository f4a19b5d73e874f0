import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { AccessList } from '../access/access-list.tsx';
import css from '../access/access.module.css';
import { boundsInWords } from '../access/bounds-in-words.ts';
import { api } from '../api/api.ts';
import { Button } from '../look/button/button.tsx';
import { Mark } from '../look/mark.tsx';
import { Page } from '../look/page/page.tsx';
import { Empty } from '../look/state/empty.tsx';
import { ShortId } from '../look/table/short-id.tsx';
import tableCss from '../look/table/table.module.css';
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
        columns={['Name', 'Standing', 'Person', 'Works for', 'Added', 'Roles']}
        empty={<Empty title="Nobody yet">Everyone who signs in has a row here. Add the first.</Empty>}
        row={(person) => (
          <tr key={person.staff_id}>
            <th scope="row">{person.name}</th>
            <td>
              <span className={css.standing}>
                {person.ended_at === null ? (
                  <Mark tone="good">May sign in</Mark>
                ) : (
                  <Mark tone="quiet">Ended</Mark>
                )}
                {person.ended_at === null && (
                  <Button onClick={() => setChanging(person)}>
                    Change …<Unseen> {person.name}</Unseen>
                  </Button>
                )}
              </span>
            </td>
            <td>
              <ShortId id={person.staff_id} of="person’s id" />
            </td>
            <td>
              {person.account_id === null ? (
                'The platform'
              ) : (
                <ShortId id={person.account_id} of="account id" />
              )}
            </td>
            <td>
              <Time at={person.created_at} />
            </td>
            <td className={tableCss.wide}>
              {[
                rolesInWords(person.roles),
                boundsInWords(person.verify_within),
                person.allowed_cidrs && `From ${person.allowed_cidrs.join(', ')} alone`,
              ]
                .filter(Boolean)
                .join('. ')}
            </td>
          </tr>
        )}
      />
      <SessionsPart whose="everyone" />
      {isAdding && <AddPersonDialog onClose={close} />}
      {changing && <PersonDialog person={changing} onClose={close} />}
    </Page>
  );
}
