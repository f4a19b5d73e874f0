/**
 * Why a sign-in with the provider failed, as the sign-in page gets it in its address: `?failed=no_role`. Public: none
 * tells more than the person may know.
 */
export type SignInRefusal =
  /** It took more than ten minutes, or was begun in another browser. */
  | 'expired'
  /** What came back does not belong to what was begun. */
  | 'tampered'
  /** The person declined at the provider. */
  | 'declined'
  | 'provider_refused'
  | 'provider_down'
  /** The provider's code was used, or came too late. */
  | 'code_used'
  /** The provider did not ask the person again. */
  | 'not_fresh'
  /** The provider did not ask for a second factor. */
  | 'amr_missing'
  /** None of the person's groups has a role here. */
  | 'no_role'
  /** An administrator ended the person's access. */
  | 'ended'
  | 'link_not_valid'
  /** The invitation is for someone else than who signed in. */
  | 'identity_taken'
  | 'too_many';
