import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import * as z from 'zod';
import css from '../access/access.module.css';
import { api } from '../api/api.ts';
import { Button } from '../look/button.tsx';
import { Mark } from '../look/mark.tsx';
import { Page } from '../look/page/page.tsx';
import { Loaded } from '../look/state/loaded.tsx';
import { SkeletonRows } from '../look/state/skeleton.tsx';
import { Pager } from '../look/table/pager.tsx';
import { Table } from '../look/table/table.tsx';
import { useQueryModel } from '../look/table/use-query-model.ts';
import { Time } from '../look/time.tsx';
import { Unseen } from '../look/unseen.tsx';
import { AddPersonDialog } from './add-person-dialog.tsx';
import { type Person, PersonDialog } from './person-dialog.tsx';
import { SessionsPart } from './sessions-part.tsx';

const Filters = z.object({ cursor: z.string().optional() });

/** Who signs in, what they may do, and who is signed in at the moment. */
export function StaffPage() {
  const [{ cursor }, change] = useQueryModel(Filters);
  const [isAdding, setIsAdding] = useState(false);
  const [changing, setChanging] = useState<Person | null>(null);
  const queries = useQueryClient();
  const query = useQuery({
    queryKey: ['staff.list', cursor],
    queryFn: ({ signal }) => api.staff.list.query({ cursor, limit: 50 }, { signal }),
    placeholderData: keepPreviousData,
  });
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
      <Loaded query={query} what="list" skeleton={<SkeletonRows count={8} />}>
        {({ items, next_cursor: next }) => (
          <>
            <Table
              caption="People, newest first"
              columns={['Name', 'Standing', 'Roles', 'Works for', 'Added', 'Person']}
            >
              {items.map((person) => (
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
                  <td>{person.roles.join(', ')}</td>
                  <td>{person.account_id === null ? 'The platform' : <code>{person.account_id}</code>}</td>
                  <td>
                    <Time at={person.created_at} />
                  </td>
                  <td>
                    <code>{person.staff_id}</code>
                  </td>
                </tr>
              ))}
            </Table>
            <Pager cursor={cursor} next={next} onGo={(to) => change({ cursor: to })} />
            <SessionsPart whose="everyone" />
          </>
        )}
      </Loaded>
      {isAdding && <AddPersonDialog onClose={close} />}
      {changing && <PersonDialog person={changing} onClose={close} />}
    </Page>
  );
}
