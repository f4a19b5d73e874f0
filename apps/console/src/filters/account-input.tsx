import { useState } from 'react';
import { type FoundAccount, useAccounts } from '../account/use-accounts.ts';
import { shortId } from '../look/table/short-id.tsx';

interface AccountInputProps {
  readonly id: string;
  readonly accountId: string | undefined;
  readonly onSet: (accountId: string | undefined) => void;
}

const LIMIT = 50;

/**
 * A combobox that finds an account by part of its name, and takes a whole account id. The browser's own list: it is
 * spoken, it follows the keys, and it weighs nothing.
 */
export function AccountInput({ id, accountId, onSet }: AccountInputProps) {
  const [typed, setTyped] = useState<string | null>(null);
  const [hasFocus, setHasFocus] = useState(false);
  const { data } = useAccounts(typed?.trim() ?? '', LIMIT, hasFocus || accountId !== undefined);
  const accounts = data?.items ?? [];
  const chosen = accounts.find((one) => one.account_id === accountId);
  const shown = accountId === undefined ? '' : chosen ? nameOf(chosen, accounts) : shortId(accountId);
  const set = (text: string) => {
    setTyped(text);
    const wanted = text.trim();
    const found = accounts.find((one) => nameOf(one, accounts) === wanted || one.account_id === wanted);
    if (found || /^acct_\w{20,}$/.test(wanted)) {
      setTyped(null);
      onSet(found?.account_id ?? wanted);
    }
  };
  return (
    <>
      <input
        id={id}
        list={`${id}-accounts`}
        value={typed ?? shown}
        placeholder="All"
        autoComplete="off"
        spellCheck={false}
        onFocus={(event) => {
          setHasFocus(true);
          event.target.select();
        }}
        onChange={(event) => set(event.target.value)}
        onBlur={({ relatedTarget }) => {
          setHasFocus(false);
          // Left for another control, not for a dialog that comes over the page, or for another window.
          if (relatedTarget === null || relatedTarget.closest('dialog')) return;
          if (typed?.trim() === '') onSet(undefined);
          setTyped(null);
        }}
      />
      <datalist id={`${id}-accounts`}>
        {accounts.map((account) => (
          <option key={account.account_id} value={nameOf(account, accounts)} />
        ))}
      </datalist>
    </>
  );
}

/** The name of an account, with its mode and the end of its id where another has the same. */
function nameOf({ account_id: id, name, mode }: FoundAccount, among: readonly FoundAccount[]): string {
  const isAlone = among.filter((one) => one.name === name).length < 2;
  return isAlone ? name : `${name} (${mode}, …${id.slice(-6)})`;
}
