import { useSyncExternalStore } from 'react';
import { type DeskState, deskState, subscribeToDesk } from './desk.ts';

/** What this tab works on. It outlives the pages, so that a result can be undone from the next request. */
export const useDesk = (): DeskState => useSyncExternalStore(subscribeToDesk, deskState);
