import { useRef, useState } from 'react';
import { Button } from '../look/button.tsx';
import { Field, Select, TextArea } from '../look/field.tsx';
import formCss from '../look/form.module.css';
import type { CoverageDraft, Draft, EvidenceField, WorkItem } from './draft.ts';
import { changeDraft } from './keep-draft.ts';
import { rowField, type RowField, rowsOf } from './sheet.ts';
import css from './work.module.css';

const FIELDS: readonly (readonly [EvidenceField, string])[] = [
  ['eligibility_status', 'Eligibility'],
  ['plan_name', 'Plan name'],
  ['start_date', 'Start date'],
  ['end_date', 'End date'],
  ['cpt_code_coverage', 'Codes'],
];

/** The fields that words can be tied to: those of the answer, and the rows of its sheet that become benefits. */
const fieldsOf = (
  { sheet }: CoverageDraft,
  item: WorkItem,
): (readonly [EvidenceField | RowField, string])[] => [
  ...FIELDS,
  ...rowsOf(sheet, item).flatMap((row) => (row.says || row.yes ? [[rowField(row), row.label] as const] : [])),
];

/** The most characters of pasted text: a portal's page has a few thousand, and a larger draft cannot be saved. */
const PASTED_LENGTH_MAX = 50_000;

interface EvidenceColumnProps {
  readonly requestId: string;
  readonly item: WorkItem;
  readonly draft: Draft;
  readonly isFrozen: boolean;
}

/** The payer's text: pasted here, and passages of it assigned to the fields that they prove. */
export function EvidenceColumn({ requestId, item, draft, isFrozen }: EvidenceColumnProps) {
  const isCall = item.channel.endsWith('_phone_call');
  const area = useRef<HTMLTextAreaElement>(null);
  const [target, setTarget] = useState('');
  const [status, setStatus] = useState('');
  const change = (changes: Partial<Draft>) => changeDraft(requestId, { ...draft, ...changes });
  const targets = draft.coverages.flatMap((coverage, index) =>
    fieldsOf(coverage, item).map(([field, name]) => ({
      value: `${coverage.key} ${field}`,
      coverage: coverage.key,
      field,
      name: draft.coverages.length > 1 ? `${name}, coverage ${index + 1}` : name,
    })),
  );
  const chosen = targets.find(({ value }) => value === target) ?? targets[0];
  const tie = () => {
    const { selectionStart = 0, selectionEnd = 0 } = area.current ?? {};
    const quote = draft.pasted.slice(selectionStart, selectionEnd).trim();
    if (quote === '' || !chosen) {
      setStatus('Mark the words in the text first.');
      area.current?.focus();
      return;
    }
    setStatus(`Tied to ${chosen.name}.`);
    const { coverage, field } = chosen;
    const isTied = draft.evidence.some(
      (one) => one.coverage === coverage && one.field === field && one.quote === quote,
    );
    if (isTied) return; // a second click means no second quote
    change({ evidence: [...draft.evidence, { key: crypto.randomUUID(), coverage, field, quote }] });
  };
  return (
    <section className={css.evidence} aria-label="Evidence">
      <fieldset className={css.frozen} disabled={isFrozen}>
        <Field label={isCall ? 'What the payer said' : 'Text of the portal'} htmlFor="pasted">
          <TextArea
            ref={area}
            id="pasted"
            rows={8}
            maxLength={PASTED_LENGTH_MAX}
            placeholder={`${isCall ? 'Type the payer’s words' : 'Paste what the payer shows'}. Mark words, then tie them to the field they answer.`}
            value={draft.pasted}
            onChange={(event) => change({ pasted: event.target.value })}
          />
        </Field>
        <div className={css.tie}>
          <Field label="The marked words answer" htmlFor="tie">
            <Select id="tie" value={chosen?.value} onChange={(event) => setTarget(event.target.value)}>
              {targets.map(({ value, name }) => (
                <option key={value} value={value}>
                  {name}
                </option>
              ))}
            </Select>
          </Field>
          <Button onClick={tie}>Tie</Button>
        </div>
        <p className={formCss.understood} role="status">
          {status}
        </p>
        <ul className={css.quotes}>
          {draft.evidence.map((one) => (
            <li key={one.key}>
              <p>
                <strong>
                  {
                    targets.find(({ coverage, field }) => coverage === one.coverage && field === one.field)
                      ?.name
                  }
                </strong>
                <q>{one.quote}</q>
              </p>
              <Button
                onClick={() => change({ evidence: draft.evidence.filter(({ key }) => key !== one.key) })}
              >
                Remove
              </Button>
            </li>
          ))}
        </ul>
      </fieldset>
    </section>
  );
}
