/** By what the service's log has a failure, for the person who is asked to look there. */
export function Trace({ ids }: { readonly ids: readonly string[] }) {
  if (ids.length === 0) return null;
  return (
    <>
      {' '}
      If this keeps happening, contact your administrator and quote trace <code>{ids.join(', ')}</code>.
    </>
  );
}
