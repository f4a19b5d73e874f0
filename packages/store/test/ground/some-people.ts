import { addStaff, askErasure, type Caller, confirmErasure, type Store } from '../../src/index.ts';
import { aPlatformCaller } from './stages.ts';

/** A person of the platform who looks after patients' data, as a caller. */
export async function aPrivacyPerson(store: Store): Promise<Caller> {
  const added = await addStaff(store, {
    caller: aPlatformCaller(),
    name: 'Ada',
    roles: ['privacy'],
    accountId: null,
  });
  if (added.kind !== 'added') throw new Error('They were not added.');
  return { ...aPlatformCaller(), keyId: added.member.staff_id };
}

/** The ending of `aRequest`'s member id. */
export const ENDING = '6789';

/** Asks for an erasure, and has another person confirm it. */
export async function erase(
  store: Store,
  requestId: string,
  { asker = aPlatformCaller(), confirmer }: { readonly asker?: Caller; readonly confirmer: Caller },
) {
  const asked = await askErasure(store, { caller: asker, requestId, reason: 'wrong_patient' });
  if (asked.kind !== 'asked') throw new Error(`It was not asked for: ${asked.kind}.`);
  const { erasure_id: erasureId } = asked.erasure;
  return confirmErasure(store, { caller: confirmer, erasureId, memberIdEnding: ENDING, backupDays: null });
}
