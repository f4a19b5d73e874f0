/** By what the service's log has a failure, for the person who is asked to look there. */
export function Trace({ ids }: { readonly ids: readonly string[] }) {
  if (ids.length === 0) return null;
  return (
    <>
      {' '}
      If it stays so, tell whoever looks after the service, with the trace <code>{ids.join(', ')}</code>.
    </>
  );
}
