import type { Outputs } from '../api/api.ts';
import { Button } from '../look/button/button.tsx';
import { Mark } from '../look/mark.tsx';
import { Named } from '../look/table/named.tsx';
import { ShortId } from '../look/table/short-id.tsx';
import type { Column } from '../look/table/table.tsx';
import { Time } from '../look/time/time.tsx';
import { Unseen } from '../look/unseen.tsx';
import { ERASED } from './erasure-words.ts';
import css from './privacy.module.css';

type Erasure = Outputs['erasures']['list']['items'][number];

/** The columns of erasures, which wait for their second person or are done. */
export const erasureColumns = (
  onConfirm: (erasure: Erasure) => void,
  onShow: (erasure: Erasure) => void,
): readonly Column<Erasure>[] => [
  { head: 'Request', is: 'name', cell: ({ request_id: id }) => <ShortId id={id} of="request id" /> },
  {
    head: 'Clinic',
    is: 'words',
    from: 'middle',
    cell: ({ account_name: name }) => name,
  },
  { head: 'Reason', is: 'words', from: 'middle', cell: ({ reason }) => ERASED[reason].word },
  { head: 'Asked', from: 'middle', cell: ({ asked_at: at }) => <Time at={at} /> },
  {
    head: 'By',
    is: 'words',
    cell: ({ asked_by: id, asked_by_name: name }) => <Named id={id} name={name} />,
  },
  {
    head: 'Standing',
    is: 'words',
    cell: (erasure) => {
      const { request_id: id, erased_at: erasedAt, lapses_at: lapsesAt } = erasure;
      return (
        <span className={css.standing}>
          <span>
            {erasedAt === null ? (
              <Mark tone="wait">Waits for a second person</Mark>
            ) : (
              <Mark tone="quiet">
                {erasure.confirmed_by === null ? 'Erased at the end of its retention' : 'Erased'}
              </Mark>
            )}
            {erasedAt !== null && (
              <>
                {' '}
                <Time at={erasedAt} />
              </>
            )}
            {lapsesAt !== null && (
              <>
                {' '}
                until <Time at={lapsesAt} />
              </>
            )}
          </span>
          {erasure.may_confirm && (
            <Button onClick={() => onConfirm(erasure)}>
              Confirm …<Unseen> the erasure of {id}</Unseen>
            </Button>
          )}
          {erasure.confirmed_by !== null && (
            <Button onClick={() => onShow(erasure)}>
              Certificate<Unseen> of {id}</Unseen>
            </Button>
          )}
        </span>
      );
    },
  },
];
