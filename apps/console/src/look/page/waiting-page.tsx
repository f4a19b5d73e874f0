import { SkeletonRows } from '../state/skeleton.tsx';

/** In place of a page that is not there yet. */
export const WaitingPage = () => (
  <main aria-busy="true" style={{ padding: '20px 24px' }}>
    <SkeletonRows count={8} />
  </main>
);
