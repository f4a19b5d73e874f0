import type { ReactNode } from 'react';
import { Button } from '../button/button.tsx';
import { Late } from '../state/late.tsx';
import { Dialog } from './dialog.tsx';

interface LateDialogProps {
  readonly onClose: () => void;
  readonly children: ReactNode;
}

/** A dialog whose code is loaded when it opens. */
export const LateDialog = ({ onClose, children }: LateDialogProps) => (
  <Late
    frame={(message) => (
      <Dialog title="Not loaded" onClose={onClose}>
        {message}
        <div>
          <Button onClick={onClose}>Close</Button>
        </div>
      </Dialog>
    )}
  >
    {children}
  </Late>
);
