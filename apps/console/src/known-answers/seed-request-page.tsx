import { createSchemas, type KnownAnswer, type PayerNames } from '@insurance-verification/schema';
import { useState } from 'react';
import { DateField, Field, Select, TextInput } from '../look/field.tsx';
import layoutCss from '../look/layout.module.css';
import { Loaded, SkeletonRows } from '../look/loaded.tsx';
import { Page } from '../look/page.tsx';
import { readDate } from '../look/read-date.ts';
import css from '../requests/new/new-request.module.css';
import { RequestForm } from '../requests/new/request-form.tsx';
import { usePayers } from '../requests/use-payers.ts';

/** `/known-answers/new`: the form of a new request, with its right answer. */
export function SeedRequestPage() {
  const payers = usePayers();
  const [typed, setTyped] = useState(NOTHING);
  return (
    <Page title="Seed a request">
      <p>
        Verifiers see it as any request, with its callback address, which is never called. They do not see the
        right answer.
      </p>
      <Loaded query={payers} what="list" skeleton={<SkeletonRows count={10} />}>
        {({ items }) => (
          <RequestForm
            model={
              createSchemas({ payers: items.map(({ name }) => name) as unknown as PayerNames }).RequestInfo
            }
            earlier={null}
            from={undefined}
            usualCallback=""
            known={{
              answer: answerOf(typed, new Date()),
              fields: <AnswerFields typed={typed} onChange={setTyped} />,
            }}
          />
        )}
      </Loaded>
    </Page>
  );
}

const NOTHING = { eligibility: '', plan: '', start: '', end: '', covered: '', notCovered: '' };

type Typed = Readonly<typeof NOTHING>;

/** The right answer as typed: an empty field is not compared. Null while a day cannot be read. */
function answerOf(typed: Typed, today: Date): KnownAnswer | null {
  const [start, end] = [readDate(typed.start, today), readDate(typed.end, today)];
  if ([start, end].some(({ kind }) => kind === 'ambiguous' || kind === 'unreadable')) return null;
  const codes = [
    ...codesIn(typed.covered).map((code) => ({ code, is_covered: true })),
    ...codesIn(typed.notCovered).map((code) => ({ code, is_covered: false })),
  ];
  return {
    ...(typed.eligibility !== '' && {
      eligibility_status: typed.eligibility === 'Active' ? 'Active' : 'Inactive',
    }),
    ...(typed.plan.trim() !== '' && { plan_name: typed.plan.trim() }),
    ...(start.kind === 'day' && { start_date: start.day }),
    ...(end.kind === 'day' && { end_date: end.day }),
    ...(codes.length > 0 && { codes }),
  };
}

const codesIn = (text: string): string[] => text.split(/[\s,;]+/).filter((code) => code !== '');

interface AnswerFieldsProps {
  readonly typed: Typed;
  readonly onChange: (typed: Typed) => void;
}

function AnswerFields({ typed, onChange }: AnswerFieldsProps) {
  const change = (name: keyof Typed) => (value: string) => onChange({ ...typed, [name]: value });
  const text = (name: keyof Typed, label: string, placeholder?: string) => (
    <Field label={label} htmlFor={`known-${name}`}>
      <TextInput
        id={`known-${name}`}
        placeholder={placeholder}
        autoComplete="off"
        spellCheck={false}
        value={typed[name]}
        onChange={(event) => change(name)(event.target.value)}
      />
    </Field>
  );
  return (
    <fieldset className={css.group}>
      <legend>The right answer, where it is known</legend>
      <p className={layoutCss.quiet}>Fill in at least one field: what stays empty is not compared.</p>
      <Field label="Eligibility" htmlFor="known-eligibility">
        <Select
          id="known-eligibility"
          value={typed.eligibility}
          onChange={(event) => change('eligibility')(event.target.value)}
        >
          <option value="">Not compared</option>
          <option value="Active">Active</option>
          <option value="Inactive">Inactive</option>
        </Select>
      </Field>
      {text('plan', 'Plan name, as the payer writes it')}
      <DateField id="known-start" label="Start date" value={typed.start} onChange={change('start')} />
      <DateField id="known-end" label="End date" value={typed.end} onChange={change('end')} />
      {text('covered', 'Codes that are covered', 'D0120, D1110')}
      {text('notCovered', 'Codes that are not covered', 'D2740')}
    </fieldset>
  );
}
