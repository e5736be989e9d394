import { Component, type ReactNode } from 'react';
import { NotLoaded } from './NotLoaded.tsx';

interface FailsafeProps {
  /** Takes the part away, where nothing is to stand in its place. */
  readonly onBroken?: () => void;
  readonly children: ReactNode;
}

const OFFLINE = '网络已断开，这一页还没有取到；恢复之后请重新加载页面。';
const ONLINE = '可能是系统刚刚升级，请重新加载页面。';

/**
 * Keeps a part that breaks from taking the whole console with it. The usual reason is a new release: the part's file
 * has another name by then, and loading the page anew finds it; or that the file could not be fetched without a network, where loading the
 * page anew would lose all of it.
 */
export class Failsafe extends Component<FailsafeProps, { broken: boolean }> {
  override state = { broken: false };

  static getDerivedStateFromError(): { broken: boolean } {
    return { broken: true };
  }

  override componentDidCatch(): void {
    this.props.onBroken?.();
  }

  override render(): ReactNode {
    if (!this.state.broken) return this.props.children;
    if (this.props.onBroken) return null;
    return (
      <NotLoaded
        title="页面出错了"
        text={navigator.onLine === false ? OFFLINE : ONLINE}
        onRetry={() => location.reload()}
      />
    );
  }
}
