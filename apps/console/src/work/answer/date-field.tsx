import { useState } from 'react';
import { Field, TextInput } from '../../look/form/field.tsx';
import { dayInWords, readDate } from '../draft/read-date.ts';
import css from '../work.module.css';

interface DateFieldProps {
  readonly id: string;
  readonly label: string;
  readonly value: string;
  readonly fault?: string | undefined;
  readonly onChange: (text: string) => void;
}

/**
 * A field for a date in any usual form. Below it stands the date that was read, or a question where two are possible.
 */
export function DateField({ id, label, value, fault, onChange }: DateFieldProps) {
  const [left, setLeft] = useState(false);
  const read = readDate(value, new Date());
  const asks = read.kind === 'ambiguous' && (left || fault !== undefined);
  return (
    <Field
      label={label}
      htmlFor={id}
      fault={read.kind === 'ambiguous' ? undefined : fault}
      hint={
        asks ? (
          <div className={css.asked} role="group" aria-label={`${label}: which day is ${value}?`}>
            <p>Which day is {value}?</p>
            {read.days.map((day, index) => (
              <button
                key={day}
                type="button"
                data-asked={index === 0 || undefined}
                onClick={() => onChange(day)}
              >
                {dayInWords(day)}
              </button>
            ))}
          </div>
        ) : (
          <p className={css.understood} role="status">
            {read.kind === 'day' && dayInWords(read.day)}
            {read.kind === 'unreadable' &&
              left &&
              fault === undefined &&
              'No day yet: 1/31/2026, 20260131, today'}
          </p>
        )
      }
    >
      <TextInput
        id={id}
        autoComplete="off"
        placeholder="m/d/yy"
        value={value}
        invalid={fault !== undefined && read.kind !== 'ambiguous'}
        onChange={(event) => onChange(event.target.value)}
        onFocus={() => setLeft(false)}
        onBlur={() => setLeft(true)}
      />
    </Field>
  );
}
