import { Button } from '../../look/button/button.tsx';
import { Field, TextArea, TextInput } from '../../look/form/field.tsx';
import { confirmPatient } from '../desk/desk.ts';
import { type Faults, fieldId } from '../draft/check-draft.ts';
import type { Doubts } from '../draft/draft.ts';
import { changeDraft } from '../draft/keep-draft.ts';
import { type CoverageDraft, type Draft, emptyCoverage, type WorkItem } from '../draft/draft.ts';
import { SheetPart } from '../sheet/sheet-part.tsx';
import css from '../work.module.css';
import { CoverageFields } from './coverage-fields.tsx';

interface AnswerFormProps {
  readonly requestId: string;
  readonly item: WorkItem;
  readonly draft: Draft;
  readonly faults: Faults;
  readonly doubts: Doubts;
}

/** The form of the payer's answer: one or more coverages. */
export function AnswerForm({ requestId, item, draft, faults, doubts }: AnswerFormProps) {
  const change = (changes: Partial<Draft>) => changeDraft(requestId, { ...draft, ...changes });
  const changeCoverage = (key: string, changes: Partial<CoverageDraft>) =>
    change({
      coverages: draft.coverages.map((coverage) =>
        coverage.key === key ? { ...coverage, ...changes } : coverage,
      ),
    });
  const add = () => {
    const added = emptyCoverage(item);
    change({ coverages: [...draft.coverages, added] });
    // The answer goes on in its first field; from the button, that would be six keys back.
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
            onConfirm={(isConfirmed) => confirmPatient(requestId, coverage.key, isConfirmed)}
          />
          {index === draft.coverages.length - 1 && (
            // Before the sheet: whoever has no use for that does not pass it on the way.
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
