import { type ComponentProps, type ReactNode, useRef, useState } from 'react';
import css from './form.module.css';
import { dayInWords, readDate } from './read-date.ts';

interface FieldProps {
  readonly label: string;
  readonly htmlFor: string;
  readonly hint?: ReactNode;
  readonly fault?: string | undefined;
  readonly children: ReactNode;
}

/** A label, its control, and the fault below it. */
export function Field({ label, htmlFor, hint, fault, children }: FieldProps) {
  return (
    <div className={css.field}>
      <label htmlFor={htmlFor}>{label}</label>
      {children}
      {fault !== undefined && (
        <p className={css.fault} id={`${htmlFor}-fault`}>
          {fault}
        </p>
      )}
      {hint}
    </div>
  );
}

interface Named {
  readonly id: string;
  readonly invalid?: boolean;
}

const marks = ({ id, invalid }: Named) =>
  invalid ? { 'aria-invalid': true, 'aria-describedby': `${id}-fault` } : {};

export function TextInput({ invalid = false, id, ...rest }: Named & Omit<ComponentProps<'input'>, 'id'>) {
  return <input type="text" {...rest} id={id} className={css.input} {...marks({ id, invalid })} />;
}

export function TextArea({ invalid = false, id, ...rest }: Named & Omit<ComponentProps<'textarea'>, 'id'>) {
  return <textarea {...rest} id={id} className={css.input} {...marks({ id, invalid })} />;
}

export function Select({ id, children, ...rest }: Named & Omit<ComponentProps<'select'>, 'id'>) {
  return (
    <select {...rest} id={id} className={css.input}>
      {children}
    </select>
  );
}

interface DateFieldProps {
  readonly id: string;
  readonly label: string;
  readonly value: string;
  readonly fault?: string | undefined;
  /** Whether it is the day of a birth. */
  readonly isBirth?: boolean;
  readonly onChange: (text: string) => void;
}

/** A click takes less. A question that shows at once moves the button below, and the click that left the field misses it. */
const CLICK_MS = 250;

/**
 * A field for a date in any usual form. Below it is the date that was read, or a question where two are possible; once it is
 * left, it shows that date itself.
 */
export function DateField({ id, label, value, fault, isBirth, onChange }: DateFieldProps) {
  const [left, setLeft] = useState(false);
  const [hasFocus, setHasFocus] = useState(false);
  const leaving = useRef<ReturnType<typeof setTimeout>>(undefined);
  const read = readDate(value, new Date(), isBirth);
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
        name={id}
        autoComplete="off"
        placeholder="m/d/yy"
        // As every day is written, once it is left; while it is typed, as it is typed.
        value={read.kind === 'day' && !hasFocus ? dayInWords(read.day) : value}
        invalid={fault !== undefined && read.kind !== 'ambiguous'}
        onChange={(event) => onChange(event.target.value)}
        onFocus={() => {
          clearTimeout(leaving.current);
          setLeft(false);
          setHasFocus(true);
        }}
        onBlur={() => {
          setHasFocus(false);
          leaving.current = setTimeout(() => setLeft(true), CLICK_MS);
        }}
      />
    </Field>
  );
}

/** The text of a form's field, by its name. */
export function textOf(form: HTMLFormElement, name: string): string {
  const value = new FormData(form).get(name);
  return typeof value === 'string' ? value : '';
}
