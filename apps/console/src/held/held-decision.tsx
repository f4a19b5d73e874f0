import type { Outputs } from '../api/api.ts';
import { Time } from '../look/time/time.tsx';
import { ValueText } from './compared-values.tsx';
import css from './held.module.css';

type Comparison = Outputs['heldOutputs']['compare'];

interface HeldDecisionProps {
  readonly held: Comparison['held'];
  readonly decision: NonNullable<Comparison['decision']>;
  readonly values: Comparison['values'];
}

/** Who settled a held output, when, and what that changed: `Applied by Olga at Nov 28 10:15:00: Eligibility Active → Inactive`. */
export function HeldDecision({ held, decision, values }: HeldDecisionProps) {
  const changed = values.filter(({ standing_difference: difference }) => difference !== 'none');
  const who = decision.by_name ?? 'a key without a name';
  if (decision.version === null)
    return (
      <p className={css.decision}>
        Dismissed by {who} at <Time at={decision.at} />
        {held.note === null ? '.' : `: ${held.note}`}
      </p>
    );
  return (
    <div className={css.decision}>
      <p>
        Applied by {who} at <Time at={decision.at} />
        {changed.length > 0 ? ':' : `, as result ${decision.version}.`}
      </p>
      {changed.length > 0 && (
        <ul>
          {changed.map(({ field, name, standing, offered }) => (
            <li key={field}>
              {name} <ValueText field={field} text={standing} places={[]} /> →{' '}
              <ValueText field={field} text={offered} places={[]} />
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
