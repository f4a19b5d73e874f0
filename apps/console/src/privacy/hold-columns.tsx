import type { Outputs } from '../api/api.ts';
import { Button } from '../look/button/button.tsx';
import { Mark } from '../look/mark.tsx';
import { Named } from '../look/table/named.tsx';
import { ShortId } from '../look/table/short-id.tsx';
import type { Column } from '../look/table/table.tsx';
import { Time } from '../look/time/time.tsx';
import { Unseen } from '../look/unseen.tsx';
import css from './privacy.module.css';

type Hold = Outputs['holds']['list']['items'][number];

/** The columns of legal holds, with since when or until when each stands. */
export const holdColumns = (onEnd: (hold: Hold) => void): readonly Column<Hold>[] => [
  {
    head: 'Covers',
    is: 'name',
    cell: ({ request_id: id }) => (id === null ? 'The account' : <ShortId id={id} of="request id" />),
  },
  {
    head: 'Clinic',
    is: 'words',
    cell: ({ account_id: id, account_name: name }) => <Named id={id} name={name} />,
  },
  {
    head: 'Reason',
    is: 'words',
    from: 'middle',
    cell: ({ reason }) => reason ?? 'Erased with its request',
  },
  { head: 'Since', from: 'middle', cell: ({ placed_at: at }) => <Time at={at} /> },
  {
    head: 'By',
    is: 'words',
    from: 'middle',
    cell: ({ placed_by: id, placed_by_name: name }) => <Named id={id} name={name} />,
  },
  {
    head: 'Standing',
    is: 'words',
    cell: (hold) => (
      <span className={css.standing}>
        <span>
          {hold.ended_at === null ? <Mark tone="warn">Stands</Mark> : <Mark tone="quiet">Ended</Mark>}
          {hold.ended_at !== null && (
            <>
              {' '}
              <Time at={hold.ended_at} />
            </>
          )}
        </span>
        {hold.ended_at === null && (
          <Button onClick={() => onEnd(hold)}>
            End …<Unseen> the hold on {hold.request_id ?? hold.account_name}</Unseen>
          </Button>
        )}
      </span>
    ),
  },
];
