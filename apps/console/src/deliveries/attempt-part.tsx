import type { Outputs } from '../api/api.ts';
import { Mark } from '../look/mark.tsx';
import { Time } from '../look/time/time.tsx';
import { SENDINGS } from '../words/request-words.ts';
import css from './deliveries.module.css';

type Delivery = Outputs['deliveries']['get'];

interface AttemptPartProps {
  readonly delivery: Delivery;
  readonly attempt: Delivery['attempts'][number];
}

/** One attempt of a delivery: its time, its duration, the headers that were sent, and the answer. */
export function AttemptPart({ delivery, attempt }: AttemptPartProps) {
  const succeeded = attempt.outcome === 'succeeded';
  const code = attempt.status_code === null ? '' : ` (${attempt.status_code})`;
  return (
    <li>
      <div className={css.line}>
        <strong>{attempt.number}</strong>
        <Mark tone={succeeded ? 'good' : 'warn'}>{`${SENDINGS[attempt.outcome]}${code}`}</Mark>
        <Time at={attempt.at} />
        <span className={css.quiet}>{attempt.duration_ms} ms</span>
      </div>
      <details>
        <summary>Headers that were sent</summary>
        <pre tabIndex={0}>{headersOf(delivery, attempt)}</pre>
      </details>
      {attempt.response_snippet ? (
        <details open={!succeeded}>
          <summary>What the receiver answered</summary>
          <pre tabIndex={0}>{attempt.response_snippet}</pre>
        </details>
      ) : (
        <p className={css.quiet}>
          {attempt.status_code === null ? 'No answer came.' : 'The answer had no body.'}
        </p>
      )}
    </li>
  );
}

/** The signed headers without the signature, which is shown to nobody: it proves who the sender is. */
function headersOf({ delivery_id: id, version }: Delivery, { at }: AttemptPartProps['attempt']): string {
  return [
    'content-type: application/json',
    `webhook-id: ${id}`,
    `webhook-timestamp: ${Math.floor(Date.parse(at) / 1_000)}`,
    'webhook-signature: v1,…',
    `verification-version: ${version}`,
  ].join('\n');
}
