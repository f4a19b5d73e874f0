import { useState } from 'react';
import { actFor } from '../api/acts-for.ts';
import { Button } from '../look/button.tsx';
import { Dialog } from '../look/dialog.tsx';
import { Field, TextInput } from '../look/field.tsx';
import { Loaded, SkeletonRows } from '../look/loaded.tsx';
import type { Me } from '../session/use-me.ts';
import css from './access.module.css';
import { useAccounts } from './choose-account.tsx';

const LIMIT = 20;

/** A dialog that chooses the account that this tab acts for from then on. */
export function AccountDialog({ me, onClose }: { readonly me: Me; readonly onClose: () => void }) {
  const [sought, setSought] = useState('');
  const query = useAccounts(sought.trim(), LIMIT);
  return (
    <Dialog title="Act for another account" onClose={onClose}>
      <p>
        Its requests are those that you post and read, and its webhook secret is the one that you see, in this
        tab alone. For a test account every page shows test data.
      </p>
      <Field label="Part of its name" htmlFor="account-sought">
        <TextInput
          id="account-sought"
          autoComplete="off"
          value={sought}
          onChange={(event) => setSought(event.target.value)}
        />
      </Field>
      <Loaded query={query} what="list" skeleton={<SkeletonRows count={4} />}>
        {({ items, next_cursor: next }) => (
          <>
            <ul className={css.accounts} aria-label="Accounts">
              {items.map((account) => {
                const isCurrent = account.account_id === me.account_id;
                return (
                  <li key={account.account_id}>
                    <Button
                      className={css.account}
                      disabled={isCurrent}
                      onClick={() => actFor(account.account_id)}
                    >
                      <span>{account.name}</span>
                      <span>{isCurrent ? 'now' : account.mode}</span>
                    </Button>
                  </li>
                );
              })}
            </ul>
            {items.length === 0 && <p>No account has these letters in its name.</p>}
            {next !== null && <p>There are more: type a part of the name.</p>}
          </>
        )}
      </Loaded>
      <div>
        <Button onClick={onClose}>Leave it</Button>
      </div>
    </Dialog>
  );
}
