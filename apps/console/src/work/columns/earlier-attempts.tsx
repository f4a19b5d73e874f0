import { Time } from '../../look/time/time.tsx';
import { ATTEMPTS, CHANNELS } from '../../words/request-words.ts';
import type { WorkItem } from '../draft/draft.ts';
import css from '../work.module.css';

/** Who tried before, how it ended, and the payer's reference number, which a second call begins with. */
export function EarlierAttempts({ history }: Pick<WorkItem, 'history'>) {
  if (history.length === 0) return null;
  return (
    <div className={css.group}>
      <h2>Earlier attempts</h2>
      <ol className={css.history}>
        {history.map((attempt) => (
          <li key={attempt.number}>
            <p>
              <strong>{ATTEMPTS[attempt.outcome].word}</strong>,{' '}
              {attempt.channel ? CHANNELS[attempt.channel] : 'handed in'},{' '}
              <Time at={attempt.ended_at ?? attempt.started_at} />
              {attempt.verifier_name && <>, {attempt.verifier_name}</>}
            </p>
            {attempt.reference && (
              <p>
                Reference number <strong>{attempt.reference}</strong>
              </p>
            )}
            {attempt.explanation && <p>{attempt.explanation}</p>}
            {attempt.note && <p className={css.notes}>{attempt.note}</p>}
          </li>
        ))}
      </ol>
    </div>
  );
}
