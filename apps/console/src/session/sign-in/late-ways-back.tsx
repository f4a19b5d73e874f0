import { type ComponentProps, lazy } from 'react';
import { Late } from '../../look/state/late.tsx';
import type { WaysBack } from './ways-back.tsx';

const load = () => import('./ways-back.tsx');
const Ways = lazy(async () => ({ default: (await load()).WaysBack }));

/** Has the ways back at hand before they are needed: by then the service may be away, or a newer one. */
export const loadWaysBack = (): void => void load().catch(() => undefined);

/** The ways to sign in again, which the first page does not need. */
export const LateWaysBack = (props: ComponentProps<typeof WaysBack>) => (
  <Late>
    <Ways {...props} />
  </Late>
);
