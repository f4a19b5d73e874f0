import { Component, type ReactNode, Suspense } from 'react';
import { Button } from '../button/button.tsx';
import { Notice } from './notice.tsx';

interface LateProps {
  /** A placeholder of the same size, shown while the part loads. */
  readonly skeleton?: ReactNode;
  /** Wraps the message of a failed load, where it needs a page of its own. */
  readonly frame?: (message: ReactNode) => ReactNode;
  readonly children: ReactNode;
}

/**
 * Loads its content on demand. After an update the files have other names and the page must be loaded again; a failed
 * load, or an exception while rendering, is shown as a message and not as an empty screen.
 */
export class Late extends Component<LateProps, { readonly hasFailed: boolean }> {
  override state = { hasFailed: false };

  static getDerivedStateFromError() {
    return { hasFailed: true };
  }

  override render() {
    const { skeleton = null, frame = (message: ReactNode) => message, children } = this.props;
    if (!this.state.hasFailed) return <Suspense fallback={skeleton}>{children}</Suspense>;
    return frame(
      <Notice tone="bad" action={<Button onClick={() => location.reload()}>Load it again</Button>}>
        This part of the page failed to load. The service may have been updated or be unreachable.
      </Notice>,
    );
  }
}
