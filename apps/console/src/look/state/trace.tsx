/** The trace id of a failed call, by which the service's log is searched. */
export function Trace({ ids }: { readonly ids: readonly string[] }) {
  if (ids.length === 0) return null;
  return (
    <>
      {' '}
      If this keeps happening, contact your administrator and quote trace <code>{ids.join(', ')}</code>.
    </>
  );
}
