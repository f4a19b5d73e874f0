import { useEffect, useState } from 'react';
import { DateField } from '../../look/form/date-field.tsx';
import { Field, Select, TextInput } from '../../look/form/field.tsx';
import { doubtAt } from './doubts.ts';
import type { FormField } from './form-fields.ts';
import css from './new-request.module.css';
import { HINTS, wordOf } from './words.ts';

interface OneFieldProps {
  readonly field: FormField;
  readonly value: string;
  readonly fault: string | undefined;
  readonly onChange: (value: string) => void;
}

/**
 * How long nothing is typed before a doubt shows. Not when the field is left: a click on the button below would miss
 * it, since the sentence moves it away.
 */
const PAUSE_MS = 800;

/** A field with what is wrong in it, or else what is doubtful, once the person has typed it. */
export function OneField({
  field: { path, kind, options, isRequired },
  value,
  fault,
  onChange,
}: OneFieldProps) {
  const [typed, setTyped] = useState('');
  useEffect(() => {
    const timer = setTimeout(() => setTyped(value), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [value]);
  const doubt = typed === value && fault === undefined ? doubtAt(path, value) : null;
  const label = `${wordOf(path)}${isRequired ? '' : ' (optional)'}`;
  if (kind === 'birth')
    return <DateField id={path} label={label} value={value} fault={fault} isBirth onChange={onChange} />;
  const marks = { id: path, name: path, value, invalid: fault !== undefined };
  return (
    <Field
      label={label}
      htmlFor={path}
      fault={fault}
      hint={
        <p role="status" className={css.doubt}>
          {doubt}
        </p>
      }
    >
      {kind === 'choice' ? (
        <Select {...marks} onChange={(event) => onChange(event.target.value)}>
          <option value="">Choose …</option>
          {options.map((option) => (
            <option key={option} value={option}>
              {option}
            </option>
          ))}
        </Select>
      ) : (
        <TextInput
          {...marks}
          placeholder={HINTS[path]}
          autoComplete="off"
          spellCheck={false}
          onChange={(event) => onChange(event.target.value)}
        />
      )}
    </Field>
  );
}
