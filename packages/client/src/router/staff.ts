import type {
  AccountList,
  AddedStaff,
  AddPasskey,
  AddStaff,
  BegunPasskey,
  BreakGlass,
  EmergencyAccess,
  EndedPasskey,
  EndedSession,
  FindAccounts,
  ListPage,
  Myself,
  Passkey,
  PasskeyList,
  PasskeyRef,
  SessionRef,
  SetSettings,
  SetStaffRoles,
  Settings,
  StaffLink,
  StaffList,
  StaffMember,
  StaffRef,
  StaffSessionList,
} from '@insurance-verification/schema';
import type * as z from 'zod';
import type { Mutation, Query } from './procedure.ts';

/** People who sign in to the console. */
export interface StaffProcedures {
  staff: {
    /** Adds a person who signs in, with a first one-time link. */
    add: Mutation<z.input<typeof AddStaff>, AddedStaff>;
    /** Everyone who signs in, or did, newest first. */
    list: Query<z.input<typeof ListPage>, StaffList>;
    /** Replaces a person's roles, effective from their next call on. */
    setRoles: Mutation<StaffRef & z.input<typeof SetStaffRoles>, StaffMember>;
    /** Creates a link that signs a person in once, within 30 minutes. */
    link: Mutation<StaffRef, StaffLink>;
    /** Ends a person's access, with all their sessions. Idempotent. */
    end: Mutation<StaffRef, StaffMember>;
  };
  sessions: {
    /** The caller, and what it may do. */
    me: Query<void, Myself>;
    /** The accounts that the person who is signed in may act for. 403 `person_required` for a key. */
    accounts: Query<z.input<typeof FindAccounts>, AccountList>;
    /** The live sessions: everyone's for an admin, otherwise the caller's own. */
    list: Query<z.input<typeof ListPage>, StaffSessionList>;
    /** Ends a session in every process at once. Idempotent. */
    end: Mutation<SessionRef, EndedSession>;
    /** Gives an operator's session emergency access for an hour. Not retried: a second call begins another. */
    breakGlass: Mutation<SessionRef & BreakGlass, EmergencyAccess>;
  };
  passkeys: {
    /** The passkeys of the person who is signed in. As all of these, 403 `person_required` for a key. */
    list: Query<void, PasskeyList>;
    /** What a browser needs to make a passkey. 409 `passkeys_need_name` at an address made of numbers. */
    begin: Mutation<void, BegunPasskey>;
    /** Registers what the browser has made. Not retried: the token of `begin` works once. */
    add: Mutation<z.input<typeof AddPasskey>, Passkey>;
    /** Removes a passkey. 404 `not_found`. */
    end: Mutation<PasskeyRef, EndedPasskey>;
  };
  settings: {
    /** How the person who is signed in has set up the console. 403 `person_required` for a key. */
    get: Query<void, Settings>;
    /** Changes what the input names. */
    set: Mutation<z.input<typeof SetSettings>, Settings>;
  };
}
