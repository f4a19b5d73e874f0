import type { Outputs } from '../../api/api.ts';
import { Mark } from '../../look/mark.tsx';
import { Time } from '../../look/time/time.tsx';
import css from './request.module.css';

/** Says that a legal hold keeps the data of a request. Nothing where none stands. */
export function HeldNotice({ holds }: { readonly holds: Outputs['requests']['view']['holds'] }) {
  const [hold] = holds;
  if (!hold) return null;
  return (
    <p className={css.standing}>
      <Mark tone="warn">Legal hold</Mark>
      <span>
        on {hold.covers === 'account' ? 'its account' : 'the request'} since <Time at={hold.placed_at} />
      </span>
      <code>{hold.hold_id}</code>
      {holds.length > 1 && <span>and {holds.length - 1} more</span>}
    </p>
  );
}
