import type { StaffRole } from '@insurance-verification/schema';
import css from '../look/form/form.module.css';

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
