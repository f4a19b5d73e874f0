import type { Outputs } from '../api/api.ts';
import { Button } from '../look/button/button.tsx';
import { Mark } from '../look/mark.tsx';
import { ShortId } from '../look/table/short-id.tsx';
import { Time } from '../look/time/time.tsx';
import { Unseen } from '../look/unseen.tsx';
import css from './privacy.module.css';

interface HoldRowProps {
  readonly hold: Outputs['holds']['list']['items'][number];
  readonly onEnd: () => void;
}

/** A legal hold, and since when or until when it stands. */
export function HoldRow({ hold, onEnd }: HoldRowProps) {
  const { request_id: requestId, account_id: accountId, reason, ended_at: endedAt } = hold;
  return (
    <tr>
      <th scope="row">
        <ShortId id={requestId ?? accountId} of={requestId === null ? 'account id' : 'request id'} />
      </th>
      <td>{reason ?? 'Erased with its request'}</td>
      <td>
        <Time at={hold.placed_at} />
      </td>
      <td>
        <ShortId id={hold.placed_by} of="id of who placed it" />
      </td>
      <td>
        <span className={css.standing}>
          <span>
            {endedAt === null ? <Mark tone="warn">Stands</Mark> : <Mark tone="quiet">Ended</Mark>}
            {endedAt !== null && (
              <>
                {' '}
                <Time at={endedAt} />
              </>
            )}
          </span>
          {endedAt === null && (
            <Button onClick={onEnd}>
              End …<Unseen> the hold on {requestId ?? accountId}</Unseen>
            </Button>
          )}
        </span>
      </td>
    </tr>
  );
}
