import type { SheetRow } from '@insurance-verification/schema';
import { useState } from 'react';
import { Button } from '../look/button.tsx';
import { Field, Select, TextInput } from '../look/field.tsx';
import layoutCss from '../look/layout.module.css';
import { type Faults, fieldId } from './check-draft.ts';
import type { AskedItem, CoverageDraft } from './draft.ts';
import css from './sheet.module.css';
import { byNeed, contradictionsOf, ownRowsOf, rowField, rowsOf, rowText, type SheetDraft } from './sheet.ts';

interface SheetPartProps {
  readonly item: AskedItem;
  readonly coverage: CoverageDraft;
  /** `Benefits`, with the number of the coverage where there are several. */
  readonly title: string;
  readonly faults: Faults;
  readonly onChange: (changes: Partial<CoverageDraft>) => void;
}

/**
 * What else the payer said of a coverage: a row for each question of the sheet that the person chose, or none. Those of
 * services that were not asked are folded, until one of them is answered.
 */
export function SheetPart({ item, coverage, title, faults, onChange }: SheetPartProps) {
  const { sheet } = coverage;
  const id = fieldId(coverage, 'sheet');
  const today = new Date();
  const rows = rowsOf(sheet, item);
  const ids = new Set(rows.map((row) => row.id));
  const answer = (changes: Readonly<Record<string, string>>): SheetDraft => ({
    ...sheet,
    answers: { ...sheet.answers, ...changes },
  });
  // A payer's own list has what that payer is asked for, whatever the codes.
  const codes = sheet.name === 'payer' ? [] : (item.request.input.cpt_code_coverage ?? []);
  const { needed, others: folded } = byNeed(rows, codes);
  const [isOpen, setIsOpen] = useState(false);
  const isTouched = (row: SheetRow) =>
    (sheet.answers[row.id] ?? '') !== '' || faults[fieldId(coverage, rowField(row))] !== undefined;
  const isUsed = folded.some((row) => isTouched(row));
  const shown = (row: SheetRow) => {
    const at = fieldId(coverage, rowField(row));
    const typed = sheet.answers[row.id] ?? '';
    const fault = faults[at];
    return (
      <div key={row.id} className={css.row} data-before={ids.has(`${row.id}_last`) || undefined}>
        <label htmlFor={at}>{row.label}</label>
        <TextInput
          id={at}
          autoComplete="off"
          maxLength={300}
          invalid={fault !== undefined}
          value={typed}
          onChange={(event) => onChange({ sheet: answer({ [row.id]: event.target.value }) })}
        />
        {fault === undefined ? (
          <output htmlFor={at}>{rowText(row, typed, today)}</output>
        ) : (
          <p className={css.fault} id={`${at}-fault`}>
            {fault}
          </p>
        )}
      </div>
    );
  };
  return (
    <section aria-label={title}>
      <Field label={title} htmlFor={id}>
        <Select
          id={id}
          value={sheet.name}
          onChange={(event) => {
            const { value } = event.target;
            const isNamed = value === 'dental' || value === 'medical' || value === 'payer';
            onChange({ sheet: { ...sheet, name: isNamed ? value : 'none' } });
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
      {contradictionsOf(coverage, item, today).map(({ code, rows: others }) => (
        <div key={code} className={css.asked} role="group" aria-label={`${code}: covered or not?`}>
          <p>
            {code} is answered Not covered, and “{others[0]?.label}” says how it is covered.
          </p>
          <Button
            data-asked
            onClick={() => onChange({ sheet: answer(Object.fromEntries(others.map((row) => [row.id, '']))) })}
          >
            It is not covered
          </Button>
          <Button onClick={() => onChange({ codes: { ...coverage.codes, [code]: 'covered' } })}>
            It is covered
          </Button>
        </div>
      ))}
      {sheet.name !== 'none' && (
        <p className={layoutCss.hint}>Empty: not answered. Only a minus: does not apply.</p>
      )}
      <div className={css.rows}>{needed.map(shown)}</div>
      {folded.length > 0 && (
        <details
          className={css.others}
          open={isOpen || isUsed}
          onToggle={({ currentTarget }) => {
            if (isUsed) currentTarget.open = true; // what is typed, or at fault, stays in sight
            setIsOpen(currentTarget.open);
          }}
        >
          <summary>{folded.length === 1 ? '1 more question' : `${folded.length} more questions`}</summary>
          <div className={css.rows}>{folded.map(shown)}</div>
        </details>
      )}
    </section>
  );
}
