import type { Outputs } from '../api/api.ts';
import { Button } from '../look/button/button.tsx';
import { Mark } from '../look/mark.tsx';
import { ShortId } from '../look/table/short-id.tsx';
import { Time } from '../look/time/time.tsx';
import { Unseen } from '../look/unseen.tsx';
import { REASONS } from './erasure-words.ts';
import css from './privacy.module.css';

interface ErasureRowProps {
  readonly erasure: Outputs['erasures']['list']['items'][number];
  readonly onConfirm: () => void;
  readonly onShow: () => void;
}

/** An erasure that waits for its second person, or that is done. */
export function ErasureRow({ erasure, onConfirm, onShow }: ErasureRowProps) {
  const { request_id: id, erased_at: erasedAt, lapses_at: lapsesAt } = erasure;
  return (
    <tr>
      <th scope="row">
        <ShortId id={id} of="request id" />
      </th>
      <td>{REASONS[erasure.reason]}</td>
      <td>
        <Time at={erasure.asked_at} />
      </td>
      <td>
        <ShortId id={erasure.asked_by} of="id of who asked" />
      </td>
      <td>
        <span className={css.standing}>
          <span>
            {erasedAt === null ? (
              <Mark tone="wait">Waits for a second person</Mark>
            ) : (
              <Mark tone="quiet">Erased</Mark>
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
          {erasedAt === null ? (
            <Button onClick={onConfirm}>
              Confirm …<Unseen> the erasure of {id}</Unseen>
            </Button>
          ) : (
            <Button onClick={onShow}>
              Certificate<Unseen> of {id}</Unseen>
            </Button>
          )}
        </span>
      </td>
    </tr>
  );
}
