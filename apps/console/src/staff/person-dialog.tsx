import type { StaffRole } from '@insurance-verification/schema';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import accessCss from '../access/access.module.css';
import { EndedDialog, SuccessorField, successorOf } from '../access/made-endpoints.tsx';
import { api, type Outputs } from '../api/api.ts';
import { Button, CopyButton } from '../look/button.tsx';
import { Dialog, FormDialog } from '../look/dialog.tsx';
import css from '../look/form.module.css';
import layoutCss from '../look/layout.module.css';
import { Unseen } from '../look/mark.tsx';
import { FailureNotice } from '../look/notice.tsx';
import { Table } from '../look/table.tsx';
import { Time } from '../look/time.tsx';
import { useWays } from '../session/sign-in/sign-in.ts';
import { EndPasskeyDialog, type Passkey } from '../settings/passkeys-part.tsx';

export type Person = Outputs['staff']['list']['items'][number];

interface PersonDialogProps {
  readonly person: Person;
  readonly onClose: () => void;
}

/** A dialog for one person: change the roles, make another link, end the access. */
export function PersonDialog({ person, onClose }: PersonDialogProps) {
  const [roles, setRoles] = useState<StaffRole[]>(person.roles);
  const [isEnding, setIsEnding] = useState(false);
  const ref = { staff_id: person.staff_id };
  const save = useMutation({
    mutationFn: () => api.staff.setRoles.mutate({ ...ref, roles }),
    onSuccess: onClose,
  });
  const link = useMutation({ mutationFn: () => api.staff.link.mutate(ref) });
  const [successor, setSuccessor] = useState('');
  const end = useMutation({
    mutationFn: () => api.staff.end.mutate({ ...ref, successor: successorOf(successor) }),
    onSuccess: ({ endpoints }) => endpoints.length === 0 && onClose(),
  });
  const { provider, way } = useWays().data ?? { provider: null, way: null };
  const [lost, setLost] = useState<Passkey | null>(null);
  if (link.data) return <LinkDialog name={person.name} link={link.data.link} onClose={onClose} />;
  const error = save.error ?? link.error;
  if (end.data) return <EndedDialog name={person.name} endpoints={end.data.endpoints} onClose={onClose} />;
  if (isEnding)
    return (
      <FormDialog
        title={`End the access of ${person.name}`}
        act="End their access"
        kind="danger"
        doing={end}
        onSubmit={() => end.mutate()}
        onClose={onClose}
      >
        <p>
          Every session and unused link of theirs ends now. The audit goes on naming them. This cannot be
          undone; they can be added anew.
        </p>
        <SuccessorField endpointIds={person.endpoint_ids} value={successor} onChange={setSuccessor} />
      </FormDialog>
    );
  if (lost)
    return (
      <EndPasskeyDialog
        passkey={lost}
        owner={person.name}
        isOnly={person.passkey_count === 1}
        onEnded={onClose}
        onClose={() => setLost(null)}
      />
    );
  return (
    <Dialog title={person.name} onClose={onClose}>
      {error && <FailureNotice error={error} />}
      <RoleChoice roles={roles} accountId={person.account_id} onChange={setRoles} />
      {provider !== null && (
        <p>
          These hold until {person.name} next signs in with {provider}, which then gives them the roles of
          their groups there.
        </p>
      )}
      <TheirPasskeys person={person} onLost={setLost} />
      <div className={layoutCss.row}>
        <Button kind="primary" disabled={roles.length === 0 || save.isPending} onClick={() => save.mutate()}>
          Save the roles
        </Button>
        <Button disabled={link.isPending} onClick={() => link.mutate()}>
          {way === 'link' ? 'Make a sign-in link' : 'Make an invitation'}
        </Button>
        <Button kind="danger" onClick={() => setIsEnding(true)}>
          End access …
        </Button>
        <Button onClick={onClose}>Leave it</Button>
      </div>
    </Dialog>
  );
}

interface TheirPasskeysProps {
  readonly person: Person;
  readonly onLost: (passkey: Passkey) => void;
}

/** The passkeys of a person, each with a button that removes it when it is lost; nothing without any. */
function TheirPasskeys({ person: { staff_id, name }, onLost }: TheirPasskeysProps) {
  const { data } = useQuery({
    queryKey: ['passkeys.list', staff_id],
    queryFn: ({ signal }) => api.passkeys.list.query({ staff_id }, { signal }),
  });
  if (!data || data.items.length === 0) return null;
  return (
    <Table
      caption={`Passkeys of ${name}, newest first`}
      items={data.items}
      columns={[
        { head: 'Passkey', is: 'name', cell: (passkey) => passkey.name },
        {
          head: 'Last used',
          cell: ({ last_used_at: at }) => (at === null ? 'Never' : <Time at={at} />),
        },
        {
          head: 'Lost',
          cell: (passkey) => (
            <span className={layoutCss.standing}>
              <Button onClick={() => onLost(passkey)}>
                Remove …<Unseen> {passkey.name}</Unseen>
              </Button>
            </span>
          ),
        },
      ]}
      keyOf={({ passkey_id: id }) => id}
    />
  );
}

/** Each role with a description, and whether a person of one account may have it. */
const ROLES: Readonly<Record<StaffRole, { readonly does: string; readonly ofAccount?: true }>> = {
  viewer: { does: 'Reads the requests of one account', ofAccount: true },
  requester: { does: 'Makes and reads the requests of one account', ofAccount: true },
  verifier: { does: 'Works on requests of every account' },
  operator: { does: 'Looks after requests, held outputs and deliveries' },
  admin: { does: 'Looks after accounts, keys and people' },
  auditor: { does: 'Reads who did what' },
  privacy: { does: 'Decides what is kept and erased' },
};
const NAMES = Object.keys(ROLES) as StaffRole[];

/** The roles of a person as one line of text. */
export const rolesInWords = (roles: readonly StaffRole[]): string =>
  roles.length === NAMES.length ? 'Every role' : roles.join(', ');

interface RoleChoiceProps {
  readonly roles: readonly StaffRole[];
  /** The account of the person; null for one of the platform. */
  readonly accountId: string | null;
  readonly onChange: (roles: StaffRole[]) => void;
}

/** A checkbox for each role that the person may have. */
export function RoleChoice({ roles, accountId, onChange }: RoleChoiceProps) {
  return (
    <fieldset className={css.choices}>
      <legend>Roles</legend>
      {NAMES.filter((role) => accountId === null || ROLES[role].ofAccount).map((role) => (
        <label key={role}>
          <input
            type="checkbox"
            checked={roles.includes(role)}
            onChange={(event) =>
              onChange(event.target.checked ? [...roles, role] : roles.filter((one) => one !== role))
            }
          />
          <span>
            <strong>{role}</strong>: {ROLES[role].does}
          </span>
        </label>
      ))}
    </fieldset>
  );
}

/** The roles that a person of this account may have; all for null, the platform. */
export const rolesFor = (accountId: string | null, roles: readonly StaffRole[]): StaffRole[] =>
  roles.filter((role) => accountId === null || ROLES[role].ofAccount);

interface LinkDialogProps {
  readonly name: string;
  /** Null where no link is made, since people sign in with the provider. */
  readonly link: NonNullable<Outputs['staff']['link']['link']> | null;
  readonly onClose: () => void;
}

/** A dialog with a one-time sign-in link or invitation, which is never shown again. */
export function LinkDialog({ name, link, onClose }: LinkDialogProps) {
  const isInvitation = useWays().data?.way === 'passkey';
  if (link === null)
    return (
      <Dialog title={`${name} is invited`} onClose={onClose}>
        <p>People sign in with the provider here, so there is no link. Send them this console’s address.</p>
        <div>
          <Button onClick={onClose}>Close</Button>
        </div>
      </Dialog>
    );
  const address = link.url ?? `${location.origin}${link.path}`;
  return (
    <Dialog title={`Send ${name} this ${isInvitation ? 'invitation' : 'link'}`} onClose={undefined}>
      <p>
        {isInvitation
          ? `The first to open it makes a passkey that signs in as ${name}.`
          : `The first to use it is signed in as ${name}.`}{' '}
        It works once, until <Time at={link.expires_at} />, and is shown this once.
      </p>
      <p className={accessCss.secret}>
        <code>{address}</code>
        <CopyButton text={address} name="the link" />
      </p>
      <div>
        <Button onClick={onClose}>I have it</Button>
      </div>
    </Dialog>
  );
}
