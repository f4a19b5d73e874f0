import { type ComponentProps, lazy } from 'react';
import { Late } from '../../look/state/late.tsx';
import type { WaysBack } from './ways-back.tsx';

const load = () => import('./ways-back.tsx');
const Ways = lazy(async () => ({ default: (await load()).WaysBack }));

/** Loads the code of {@link LateWaysBack} ahead: when it is needed, the service may be down or updated. */
export const loadWaysBack = (): void => void load().catch(() => undefined);

/** The ways to sign in again, loaded apart from the first page. */
export const LateWaysBack = (props: ComponentProps<typeof WaysBack>) => (
  <Late>
    <Ways {...props} />
  </Late>
);
