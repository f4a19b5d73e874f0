import { useSyncExternalStore } from 'react';
import { type DeskState, deskState, subscribeToDesk } from './desk.ts';

/** Subscribes to the leased requests of this tab. */
export const useDesk = (): DeskState => useSyncExternalStore(subscribeToDesk, deskState);
