import { createContext } from 'react';

/** Whether it is in a dialog, which tells itself why a read has no answer: the page below tells it for all others. */
export const InDialog = createContext(false);
