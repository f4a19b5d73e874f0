import { Icon } from '../../look/icon.tsx';
import type { Doubt } from '../draft/draft.ts';
import bench from '../work.module.css';
import css from './same-patient-question.module.css';

interface SamePatientQuestionProps {
  readonly id: string;
  readonly doubt: Doubt;
  readonly onConfirm: (isConfirmed: boolean) => void;
}

/** The reason why a coverage may be about another patient, and the checkbox that confirms that it is not. */
export function SamePatientQuestion({
  id,
  doubt: { sentence, isConfirmed },
  onConfirm,
}: SamePatientQuestionProps) {
  return (
    <div>
      <p className={css.why} id={`${id}-why`}>
        <Icon name="warn" />
        {sentence}
      </p>
      <label className={bench.check}>
        <input
          type="checkbox"
          id={id}
          aria-describedby={`${id}-why`}
          data-asked={!isConfirmed || undefined}
          checked={isConfirmed}
          onChange={(event) => onConfirm(event.target.checked)}
        />
        I made sure that it is this patient
      </label>
    </div>
  );
}
