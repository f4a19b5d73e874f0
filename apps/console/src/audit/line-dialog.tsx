import type { Outputs } from '../api/api.ts';
import { Button } from '../look/button.tsx';
import { exactTime } from '../look/clock.ts';
import { Dialog } from '../look/dialog.tsx';
import { FactList } from '../look/fact-list.tsx';
import { Named, shortId } from '../look/ids.tsx';
import { useZone } from '../look/time.tsx';
import { didOf } from './did.ts';

export type Line = Outputs['audit']['list']['items'][number];

/** The account, key, person, session or held output that it was done to; null without one. */
export const subjectOf = ({ subject_id: id, subject_name: name }: Line): string | null =>
  id === null ? null : (name ?? shortId(id));

/** All that a line of the audit says, with the address that its caller came from. */
export function LineDialog({ line, onClose }: { readonly line: Line; readonly onClose: () => void }) {
  const { zone } = useZone();
  const named = (id: string | null, name: string | null) =>
    id !== null && <Named id={id} name={name ?? shortId(id)} />;
  return (
    <Dialog title={didOf(line.operation)} onClose={onClose}>
      <FactList
        facts={[
          ['When', exactTime(line.at, zone)],
          ['Who', named(line.key_id, line.name)],
          ['From', line.address],
          ['Signed in by a link of', named(line.link_by, line.link_by_name)],
          ['Their account', named(line.account_id, line.account_name)],
          ['Operation', line.operation],
          ['Outcome', line.outcome === 'refused' ? 'Refused' : 'Done'],
          ['To', named(line.subject_id, line.subject_name)],
          ['Set', line.change !== null && <code>{line.change}</code>],
          ['Reason', line.reason],
          ['Fresh sign-in', line.fresh_sign_in === false && 'No: the identity provider was down'],
          ['Request’s account', named(line.request_account_id, line.request_account_name)],
          ['Request', line.request_id !== null && <code>{line.request_id}</code>],
        ]}
      />
      <div>
        <Button onClick={onClose}>Close</Button>
      </div>
    </Dialog>
  );
}
