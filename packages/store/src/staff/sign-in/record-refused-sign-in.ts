import { recordAccess, type SignInWay } from '../../access/record-access.ts';
import type { Store } from '../../open-store.ts';

export interface RefusedSignIn {
  readonly way: SignInWay;
  /** Why, as the person is told. */
  readonly refusal: string;
  /** The client's address; null when unknown. */
  readonly address: string | null;
}

/** Records that somebody tried to sign in and was refused; who, nobody knows. The caller bounds how often. */
export async function recordRefusedSignIn({ db }: Store, refused: RefusedSignIn): Promise<void> {
  const { way, refusal, address } = refused;
  const by = { name: null, sessionId: null, address, isEmergency: false };
  await recordAccess(db, {
    caller: { keyId: null, accountId: null, by },
    operation: 'sessions.signIn',
    outcome: 'refused',
    details: { way, refusal },
  });
}
