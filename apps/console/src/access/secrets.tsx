import type { Outputs } from '../api/api.ts';
import { CopyButton } from '../look/button.tsx';
import { Time } from '../look/time.tsx';
import css from './access.module.css';

/** A webhook secret, and the one before it while that signs as well. */
export function Secrets({ secret }: { readonly secret: Outputs['webhookSecret']['get'] }) {
  const { current, previous, previous_valid_until: until } = secret;
  return (
    <>
      <p className={css.secret}>
        <code>{current}</code>
        <CopyButton text={current} name="the secret" />
      </p>
      {previous !== null && until !== null && (
        <>
          <p>
            The one before signs too until <Time at={until} />:
          </p>
          <p className={css.secret}>
            <code>{previous}</code>
            <CopyButton text={previous} name="the secret before" />
          </p>
        </>
      )}
    </>
  );
}
