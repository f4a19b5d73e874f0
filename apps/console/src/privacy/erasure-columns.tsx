import type { ErasedBecause } from '@insurance-verification/schema';
import type { Outputs } from '../api/api.ts';
import { Button } from '../look/button/button.tsx';
import { Mark } from '../look/icon.tsx';
import { type Column, Named, ShortId } from '../look/table/table.tsx';
import { Time } from '../look/time/time.tsx';
import { Unseen } from '../look/unseen.tsx';
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

/** Why the data of a request is gone: the choice of who asks, and the end of “The data was erased on …,”. */
export const ERASED: Readonly<Record<ErasedBecause, { readonly word: string; readonly because: string }>> = {
  retention: { word: 'Retention over', because: 'when its retention was over' },
  wrong_patient: { word: 'Wrong patient', because: 'because it was about the wrong patient' },
  wrong_recipient: { word: 'Wrong recipient', because: 'because it went to the wrong recipient' },
  posted_twice: { word: 'Posted twice', because: 'because it was posted twice' },
  patient_asked: { word: 'The patient asked', because: 'because the patient asked for it' },
  not_authorized: { word: 'Asked without permission', because: 'because it was asked without permission' },
};

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
