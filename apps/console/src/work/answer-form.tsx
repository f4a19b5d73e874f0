import { Button } from '../look/button.tsx';
import { DateField, Field, TextArea, TextInput } from '../look/field.tsx';
import formCss from '../look/form.module.css';
import { Icon } from '../look/mark.tsx';
import { type Faults, fieldId } from './check-draft.ts';
import {
  type AskedItem,
  type CodeAnswer,
  type CoverageDraft,
  type Doubt,
  type Doubts,
  type Draft,
  emptyCoverage,
} from './draft.ts';
import { SheetPart } from './sheet-part.tsx';
import css from './work.module.css';

interface AnswerFormProps {
  readonly item: AskedItem;
  readonly draft: Draft;
  readonly faults: Faults;
  readonly doubts: Doubts;
  readonly onChange: (draft: Draft) => void;
  /** The person has confirmed, or not any more, that a coverage is about the request's patient. */
  readonly onConfirm: (coverageKey: string, isConfirmed: boolean) => void;
}

/** The form of the payer's answer: one or more coverages. */
export function AnswerForm({ item, draft, faults, doubts, onChange, onConfirm }: AnswerFormProps) {
  const change = (changes: Partial<Draft>) => onChange({ ...draft, ...changes });
  const changeCoverage = (key: string, changes: Partial<CoverageDraft>) =>
    change({
      coverages: draft.coverages.map((coverage) =>
        coverage.key === key ? { ...coverage, ...changes } : coverage,
      ),
    });
  const add = () => {
    const added = emptyCoverage(item);
    change({ coverages: [...draft.coverages, added] });
    // The answer continues in its first field; from the button, that would be six keys back.
    requestAnimationFrame(() =>
      document.querySelector<HTMLElement>(`[name="${fieldId(added, 'eligibility')}"]`)?.focus(),
    );
  };
  const remove = (key: string) =>
    change({
      coverages: draft.coverages.filter((coverage) => coverage.key !== key),
      evidence: draft.evidence.filter(({ coverage }) => coverage !== key),
    });
  return (
    <>
      {draft.coverages.map((coverage, index) => (
        <section key={coverage.key} className={css.coverage} aria-label={`Coverage ${index + 1}`}>
          {draft.coverages.length > 1 && (
            <header className={css.coverageHead}>
              <h2>Coverage {index + 1}</h2>
              <Button onClick={() => remove(coverage.key)}>Remove</Button>
            </header>
          )}
          <CoverageFields
            coverage={coverage}
            faults={faults}
            doubt={doubts[coverage.key]}
            onChange={(changes) => changeCoverage(coverage.key, changes)}
            onConfirm={(isConfirmed) => onConfirm(coverage.key, isConfirmed)}
          />
          {index === draft.coverages.length - 1 && (
            // Before the sheet: a person who does not use the sheet need not pass it.
            <div>
              <Button onClick={add}>Add another coverage</Button>
            </div>
          )}
          <SheetPart
            item={item}
            coverage={coverage}
            title={draft.coverages.length > 1 ? `Benefits, coverage ${index + 1}` : 'Benefits'}
            faults={faults}
            onChange={(changes) => changeCoverage(coverage.key, changes)}
          />
        </section>
      ))}
      <div className={css.pair}>
        {item.channel === 'manual_phone_call' && (
          <Field label="Payer’s representative" htmlFor="representative">
            <TextInput
              id="representative"
              autoComplete="off"
              value={draft.representative}
              onChange={(event) => change({ representative: event.target.value })}
              onKeyDown={(event) => {
                if (event.key !== 'Enter') return;
                event.preventDefault();
                document.getElementById('reference')?.focus();
              }}
            />
          </Field>
        )}
        <Field label="Reference number" htmlFor="reference">
          <TextInput
            id="reference"
            autoComplete="off"
            value={draft.reference}
            onChange={(event) => change({ reference: event.target.value })}
          />
        </Field>
        <Field label="Note for colleagues" htmlFor="note">
          <TextArea
            id="note"
            rows={2}
            value={draft.note}
            onChange={(event) => change({ note: event.target.value })}
          />
        </Field>
      </div>
    </>
  );
}

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

function CoverageFields({ coverage, faults, doubt, onChange, onConfirm }: CoverageFieldsProps) {
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

interface ChoicesProps<Value extends string> {
  readonly id: string;
  readonly legend: string;
  readonly choices: readonly (readonly [Value, string])[];
  readonly chosen: Value | null;
  readonly onChoose: (value: Value) => void;
  readonly fault?: string | undefined;
  /** The legend is next to the choices, for a list of many groups. */
  readonly inRow?: boolean;
}

/** A group of radio buttons, used with Space and the arrow keys. */
function Choices<Value extends string>({
  id,
  legend,
  choices,
  chosen,
  onChoose,
  fault,
  inRow = false,
}: ChoicesProps<Value>) {
  return (
    <fieldset
      className={inRow ? css.choicesInRow : css.choices}
      aria-describedby={fault === undefined ? undefined : `${id}-fault`}
    >
      <legend>{legend}</legend>
      <div className={css.options}>
        {choices.map(([value, word]) => (
          <label key={value} className={css.option}>
            <input
              type="radio"
              name={id}
              value={value}
              checked={chosen === value}
              aria-invalid={fault !== undefined || undefined}
              onChange={() => onChoose(value)}
            />
            <span>{word}</span>
          </label>
        ))}
      </div>
      {fault !== undefined && (
        <p className={formCss.fault} id={`${id}-fault`}>
          {fault}
        </p>
      )}
    </fieldset>
  );
}

interface SamePatientQuestionProps {
  readonly id: string;
  readonly doubt: Doubt;
  readonly onConfirm: (isConfirmed: boolean) => void;
}

/** The reason why a coverage may be about another patient, and the checkbox that confirms that it is not. */
function SamePatientQuestion({ id, doubt: { sentence, isConfirmed }, onConfirm }: SamePatientQuestionProps) {
  return (
    <div>
      <p className={css.doubt} id={`${id}-why`}>
        <Icon name="warn" />
        {sentence}
      </p>
      <label className={formCss.check}>
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
