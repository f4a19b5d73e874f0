import { Field, Select, TextInput } from '../../look/form/field.tsx';
import { type Faults, fieldId } from '../draft/check-draft.ts';
import type { CoverageDraft, WorkItem } from '../draft/draft.ts';
import css from '../work.module.css';
import { ownRowsOf, rowField, rowsOf, type SheetDraft } from './sheet.ts';

interface SheetPartProps {
  readonly item: WorkItem;
  readonly coverage: CoverageDraft;
  /** `Benefits`, with the number of the coverage where there are several. */
  readonly title: string;
  readonly faults: Faults;
  readonly onChange: (sheet: SheetDraft) => void;
}

/** What else the payer said of a coverage: a row for each question of the sheet that the person chose, or none. */
export function SheetPart({ item, coverage, title, faults, onChange }: SheetPartProps) {
  const { sheet } = coverage;
  const id = fieldId(coverage, 'sheet');
  return (
    <section aria-label={title}>
      <Field label={title} htmlFor={id}>
        <Select
          id={id}
          value={sheet.name}
          onChange={(event) => {
            const { value } = event.target;
            const isNamed = value === 'dental' || value === 'medical' || value === 'payer';
            onChange({ ...sheet, name: isNamed ? value : 'none' });
          }}
        >
          <option value="none">No sheet</option>
          {(sheet.name === 'payer' || ownRowsOf(item).length > 0) && (
            <option value="payer">{item.payer.name}</option>
          )}
          <option value="dental">Dental</option>
          <option value="medical">Medical</option>
        </Select>
      </Field>
      {sheet.name !== 'none' && (
        <p className={css.understood}>Empty: not answered. A minus alone: does not apply.</p>
      )}
      <div className={css.pair}>
        {rowsOf(sheet, item).map((row) => {
          const at = fieldId(coverage, rowField(row));
          const typed = sheet.answers[row.id] ?? '';
          return (
            <Field
              key={row.id}
              label={row.label}
              htmlFor={at}
              fault={faults[at]}
              hint={
                <p className={css.understood}>
                  {typed.trim() === '-' ? 'Does not apply' : typed.trim() === '' ? 'Not answered' : ''}
                </p>
              }
            >
              <TextInput
                id={at}
                autoComplete="off"
                maxLength={300}
                invalid={faults[at] !== undefined}
                value={typed}
                onChange={(event) =>
                  onChange({ ...sheet, answers: { ...sheet.answers, [row.id]: event.target.value } })
                }
              />
            </Field>
          );
        })}
      </div>
    </section>
  );
}
