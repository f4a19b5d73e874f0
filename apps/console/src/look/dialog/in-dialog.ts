import { createContext } from 'react';

/**
 * Whether the component is in a dialog, which shows failed reads itself; elsewhere the page shows them once for all.
 */
export const InDialog = createContext(false);
