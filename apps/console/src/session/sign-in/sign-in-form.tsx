import { useMutation } from '@tanstack/react-query';
import { type ComponentProps, useId } from 'react';
import { Button } from '../../look/button/button.tsx';
import { Field, TextInput } from '../../look/form/field.tsx';
import { textOf } from '../../look/form/text-of.ts';
import css from '../session.module.css';
import { signIn, tokenOf } from './sign-in.ts';

/** Takes a link or its token. Nothing of it is kept: the field is not one that a browser remembers. */
export function SignInForm({ onSignedIn }: { readonly onSignedIn: () => void }) {
  const id = useId();
  const {
    mutate,
    data: failure,
    isPending,
  } = useMutation({
    mutationFn: signIn,
    onSuccess: (failed) => {
      if (failed === null) onSignedIn();
    },
  });
  const submit: NonNullable<ComponentProps<'form'>['onSubmit']> = (event) => {
    event.preventDefault();
    mutate(tokenOf(textOf(event.currentTarget, 'link')));
  };
  return (
    <form className={css.form} onSubmit={submit}>
      <Field label="Sign-in link" htmlFor={id} fault={failure ?? undefined}>
        <TextInput id={id} name="link" autoComplete="off" spellCheck={false} invalid={Boolean(failure)} />
      </Field>
      <Button kind="primary" type="submit" disabled={isPending}>
        Sign in
      </Button>
    </form>
  );
}

/** How a person comes to a link, where no provider signs people in. */
export function HowToGetLink() {
  return (
    <p className={css.how}>
      Type <code>npx -y pnpm@12 iv console</code> where the service runs. It prints a link that works once,
      for 30 minutes. An administrator can also make one for you.
    </p>
  );
}
