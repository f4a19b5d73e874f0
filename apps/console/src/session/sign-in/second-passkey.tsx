import { useQuery } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useState } from 'react';
import { api } from '../../api/api.ts';
import { Button } from '../../look/button.tsx';
import formCss from '../../look/form.module.css';
import { Notice } from '../../look/notice.tsx';
import { PasskeyName, useMakePasskey } from './make-passkey.tsx';

/** Asks a person who has just made a passkey for a second one. They may leave it; somebody who has two is not asked. */
export function SecondPasskey({ onDone }: { readonly onDone: () => void }) {
  const [name, setName] = useState('');
  const make = useMakePasskey(onDone);
  const { data: known, error } = useQuery({
    queryKey: ['passkeys.list'],
    queryFn: ({ signal }) => api.passkeys.list.query({}, { signal }),
  });
  const isAsked = known?.items.length === 1;
  const leave = useEffectEvent(() => ((known && !isAsked) || error ? onDone() : undefined));
  useEffect(() => leave(), [known, error]);
  if (!isAsked) return <p role="status">Signing you in …</p>;
  return (
    <form
      className={formCss.form}
      onSubmit={(event) => {
        event.preventDefault();
        make.mutate(name);
      }}
    >
      <p>
        You are signed in. Add a second passkey on another device, such as your phone or a security key: then
        a lost one does not keep you out.
      </p>
      {make.data && <Notice tone="bad">{make.data}</Notice>}
      <PasskeyName name={name} example="Phone" onChange={setName} />
      <Button kind="primary" type="submit" disabled={make.isPending || name.trim() === ''}>
        Add a second passkey
      </Button>
      <Button onClick={onDone}>Not now</Button>
    </form>
  );
}
