import {
  createSignInLink,
  ensureFirstStaff,
  FIRST_STAFF_ID,
  type Store,
} from '@insurance-verification/store';

/**
 * A new link for the first person, at each start; null if an administrator ended that person, which a start respects.
 */
export async function openFirstLink(store: Store): Promise<string | null> {
  await ensureFirstStaff(store);
  const created = await createSignInLink(store, {
    caller: null,
    staffId: FIRST_STAFF_ID,
    purpose: 'signsIn',
  });
  return created.kind === 'created' ? created.token : null;
}
