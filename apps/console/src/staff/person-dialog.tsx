import type { StaffRole } from '@insurance-verification/schema';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { api, type Outputs } from '../api/api.ts';
import { Button } from '../look/button/button.tsx';
import { Dialog } from '../look/dialog/dialog.tsx';
import { FormDialog } from '../look/dialog/form-dialog.tsx';
import css from '../look/form/form.module.css';
import { FailureNotice } from '../look/state/failure-notice.tsx';
import { useWays } from '../session/sign-in/provider.ts';
import { LinkDialog } from './link-dialog.tsx';
import { RoleChoice } from './roles.tsx';

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
  const end = useMutation({ mutationFn: () => api.staff.end.mutate(ref), onSuccess: onClose });
  const provider = useWays().data?.provider ?? null;
  if (link.data) return <LinkDialog name={person.name} link={link.data.link} onClose={onClose} />;
  const error = save.error ?? link.error;
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
      </FormDialog>
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
      <div className={css.buttons}>
        <Button kind="primary" disabled={roles.length === 0 || save.isPending} onClick={() => save.mutate()}>
          Save the roles
        </Button>
        <Button disabled={link.isPending} onClick={() => link.mutate()}>
          Make a sign-in link
        </Button>
        <Button kind="danger" onClick={() => setIsEnding(true)}>
          End access …
        </Button>
        <Button onClick={onClose}>Leave it</Button>
      </div>
    </Dialog>
  );
}
