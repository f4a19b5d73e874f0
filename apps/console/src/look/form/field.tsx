import type { ComponentProps, ReactNode } from 'react';
import css from './field.module.css';

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
