import { type ComponentProps, useId } from 'react';
import { Button } from '../../look/button/button.tsx';
import { Field, TextInput } from '../../look/form/field.tsx';
import { textOf } from '../../look/form/text-of.ts';
import css from '../session.module.css';
import { tokenOf } from './sign-in.ts';

interface SignInFormProps {
  /** Why the last link signed nobody in; null without one. */
  readonly fault: string | null;
  readonly onToken: (token: string) => void;
}

/** A field for a sign-in link or its token. Autocomplete is off, so the browser does not store it. */
export function SignInForm({ fault, onToken }: SignInFormProps) {
  const id = useId();
  const submit: NonNullable<ComponentProps<'form'>['onSubmit']> = (event) => {
    event.preventDefault();
    onToken(tokenOf(textOf(event.currentTarget, 'link')));
  };
  return (
    <form className={css.form} onSubmit={submit}>
      <Field label="Sign-in link" htmlFor={id} fault={fault ?? undefined}>
        <TextInput id={id} name="link" autoComplete="off" spellCheck={false} invalid={fault !== null} />
      </Field>
      <Button kind="primary" type="submit">
        Sign in
      </Button>
    </form>
  );
}

/** A sentence that says where to get a link; for services without a provider. */
export function HowToGetLink() {
  return (
    <p className={css.how}>
      Type <code>npx -y pnpm@12 iv console</code> where the service runs. It prints a link that works once,
      for 30 minutes. An administrator can also make one for you.
    </p>
  );
}
