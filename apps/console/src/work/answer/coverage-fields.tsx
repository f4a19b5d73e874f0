import { Button } from '../../look/button/button.tsx';
import { DateField } from '../../look/form/date-field.tsx';
import { Field, TextArea, TextInput } from '../../look/form/field.tsx';
import { type Faults, fieldId } from '../draft/check-draft.ts';
import type { Doubt } from '../draft/draft.ts';
import type { CodeAnswer, CoverageDraft } from '../draft/draft.ts';
import css from '../work.module.css';
import { Choices } from './choices.tsx';
import { SamePatientQuestion } from './same-patient-question.tsx';

interface CoverageFieldsProps {
  readonly coverage: CoverageDraft;
  readonly faults: Faults;
  /** The doubt whether the coverage is about the request's patient; undefined without one. */
  readonly doubt: Doubt | undefined;
  readonly onChange: (changes: Partial<CoverageDraft>) => void;
  readonly onConfirm: (isConfirmed: boolean) => void;
}

const ELIGIBILITY = [
  ['Active', 'Active'],
  ['Inactive', 'Inactive'],
  ['not_answered', 'Not answered'],
] as const;

const CODE_ANSWERS: readonly (readonly [CodeAnswer, string])[] = [
  ['covered', 'Covered'],
  ['not_covered', 'Not covered'],
  ['not_answered', 'Not answered'],
];

/** Codes from which on one button answers them all: with fewer it would be one more Tab. */
const ALL_COUNT_MIN = 3;

export function CoverageFields({ coverage, faults, doubt, onChange, onConfirm }: CoverageFieldsProps) {
  const at = (field: string) => {
    const id = fieldId(coverage, field);
    return { id, fault: faults[id] };
  };
  const codes = Object.entries(coverage.codes);
  const plan = at('plan');
  const member = at('memberId');
  const dob = at('dob');
  const notes = at('notes');
  return (
    <>
      <Choices
        {...at('eligibility')}
        legend="Eligibility"
        choices={ELIGIBILITY}
        chosen={coverage.eligibility}
        onChoose={(eligibility) => onChange({ eligibility })}
      />
      <Field label="Plan name" htmlFor={plan.id}>
        <TextInput
          id={plan.id}
          autoComplete="off"
          value={coverage.plan}
          onChange={(event) => onChange({ plan: event.target.value })}
        />
      </Field>
      <div className={css.pair}>
        <DateField
          {...at('start')}
          label="Start date"
          value={coverage.start}
          onChange={(start) => onChange({ start })}
        />
        <DateField
          {...at('end')}
          label="End date"
          value={coverage.end}
          onChange={(end) => onChange({ end })}
        />
      </div>
      {codes.length > 0 && (
        <div className={css.codes}>
          {codes.length >= ALL_COUNT_MIN && (
            <Button
              onClick={() => {
                onChange({ codes: Object.fromEntries(codes.map(([code]) => [code, 'covered'])) });
                document.getElementById(notes.id)?.focus();
              }}
            >
              All {codes.length} covered
            </Button>
          )}
          {codes.map(([code, answer]) => (
            <Choices
              key={code}
              {...at(`code-${code}`)}
              inRow
              legend={`Code ${code}`}
              choices={CODE_ANSWERS}
              chosen={answer}
              onChoose={(given) => onChange({ codes: { ...coverage.codes, [code]: given } })}
            />
          ))}
        </div>
      )}
      <Field label="Notes for the provider" htmlFor={notes.id}>
        <TextArea
          id={notes.id}
          rows={2}
          value={coverage.notes}
          onChange={(event) => onChange({ notes: event.target.value })}
        />
      </Field>
      <details
        className={css.differs}
        open={coverage.differs}
        onToggle={(event) => onChange({ differs: event.currentTarget.open })}
      >
        <summary>The payer has another member id or date of birth</summary>
        <div className={css.pair}>
          <Field label="Member id at the payer" htmlFor={member.id} fault={member.fault}>
            <TextInput
              id={member.id}
              autoComplete="off"
              invalid={member.fault !== undefined}
              value={coverage.memberId}
              onChange={(event) => onChange({ memberId: event.target.value })}
            />
          </Field>
          <Field label="Date of birth at the payer" htmlFor={dob.id} fault={dob.fault}>
            <TextInput
              id={dob.id}
              autoComplete="off"
              invalid={dob.fault !== undefined}
              value={coverage.dob}
              onChange={(event) => onChange({ dob: event.target.value })}
            />
          </Field>
        </div>
      </details>
      {doubt && <SamePatientQuestion id={fieldId(coverage, 'same')} doubt={doubt} onConfirm={onConfirm} />}
    </>
  );
}
