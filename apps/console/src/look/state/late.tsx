import { Component, type ReactNode, Suspense } from 'react';
import { Button } from '../button/button.tsx';
import { Notice } from './notice.tsx';

interface LateProps {
  /** Of the size of what comes. */
  readonly skeleton?: ReactNode;
  /** Around what says that it did not come, where that needs a frame of its own. */
  readonly frame?: (told: ReactNode) => ReactNode;
  readonly children: ReactNode;
}

/**
 * What is loaded when it is needed. After an update the service has its files under other names, and the page must be
 * loaded anew to know them; a fault of the page itself ends the same way, and not with an empty screen.
 */
export class Late extends Component<LateProps, { readonly hasFailed: boolean }> {
  override state = { hasFailed: false };

  static getDerivedStateFromError() {
    return { hasFailed: true };
  }

  override render() {
    const { skeleton = null, frame = (told: ReactNode) => told, children } = this.props;
    if (!this.state.hasFailed) return <Suspense fallback={skeleton}>{children}</Suspense>;
    return frame(
      <Notice tone="bad" action={<Button onClick={() => location.reload()}>Load it again</Button>}>
        This part of the page failed to load. The service may have been updated or be unreachable.
      </Notice>,
    );
  }
}
