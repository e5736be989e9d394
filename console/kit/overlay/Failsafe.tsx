import { Component, type ReactNode } from 'react';
import { NotLoaded } from './NotLoaded.tsx';

interface FailsafeProps {
  readonly children: ReactNode;
}

/**
 * Keeps a part that breaks from taking the whole console with it. The usual reason is a new release: the part's file
 * has another name by then, and loading the page anew finds it.
 */
export class Failsafe extends Component<FailsafeProps, { broken: boolean }> {
  override state = { broken: false };

  static getDerivedStateFromError(): { broken: boolean } {
    return { broken: true };
  }

  override render(): ReactNode {
    if (!this.state.broken) return this.props.children;
    return (
      <NotLoaded
        title="页面出错了"
        text="可能是系统刚刚升级，请重新加载页面。"
        onRetry={() => location.reload()}
      />
    );
  }
}
