import { MoreOutlined, PushpinFilled } from '@ant-design/icons';
import { type DragEvent, type KeyboardEvent, type MouseEvent, useEffect, useRef, useState } from 'react';
import { useUnsavedTabs } from '../../kit/form/index.ts';
import { openPopup, Question } from '../../kit/overlay/index.ts';
import { TabMenu } from './TabMenu.tsx';
import { distinction, type Tab, type Tabs } from './tab-list.ts';
import type { TabActions } from './use-tabs.ts';
import './tabs.css';

interface TabBarProps {
  readonly tabs: Tabs;
  readonly actions: TabActions;
  /** The title of a screen. */
  readonly titleOf: (path: string) => string;
}

/** Alt-1 to Alt-9 show a tab by its place. */
function useDigits(list: readonly Tab[], show: TabActions['show']): void {
  useEffect(() => {
    const onKey = (event: globalThis.KeyboardEvent) => {
      const digit = /^Digit([1-9])$/.exec(event.code)?.[1];
      const tab = list[Number(digit) - 1];
      if (!event.altKey || event.ctrlKey || event.metaKey || !tab) return;
      event.preventDefault();
      show(tab);
    };
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  }, [list, show]);
}

/** The screens that are open, one tab each. */
export function TabBar({ tabs, actions, titleOf }: TabBarProps) {
  const { list, active } = tabs;
  const unsaved = useUnsavedTabs();
  const bar = useRef<HTMLDivElement>(null);
  const [dragged, setDragged] = useState<string | null>(null);
  useDigits(list, actions.show);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another tab may be out of sight
  useEffect(() => {
    bar.current
      ?.querySelector('[aria-selected="true"]')
      ?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  }, [active]);

  const close = (ids: readonly string[], anchor: HTMLElement) => {
    const titles = list
      .filter(({ id }) => ids.includes(id) && unsaved.has(id))
      .map(({ path }) => titleOf(path));
    if (titles.length === 0) return actions.close(ids);
    const text = `“${titles.join('”、“')}”中填写的内容尚未提交，关闭后将丢失。`;
    openPopup(anchor, text, <Question text={text} word="关闭" danger onYes={() => actions.close(ids)} />);
  };
  const onKey = (event: KeyboardEvent<HTMLElement>, at: number) => {
    const tab = list[at];
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (event.key === 'Delete' && tab) close([tab.id], event.currentTarget);
    if (!step || event.altKey) return;
    event.preventDefault();
    const next = event.currentTarget.parentElement?.children[(at + step + list.length) % list.length];
    if (next instanceof HTMLElement) next.focus();
  };
  const onDrop = (event: DragEvent, at: number) => {
    event.preventDefault();
    if (dragged !== null) actions.move(dragged, at);
    setDragged(null);
  };
  const onMenu = (anchor: HTMLElement, tab: Tab) =>
    openPopup(
      anchor,
      '页签操作',
      <TabMenu {...{ tab, tabs, actions }} onClose={(ids) => close(ids, anchor)} />,
    );
  const current = list.find(({ id }) => id === active);

  return (
    <nav className="tabs" aria-label="页签">
      <div className="tabs-list" role="tablist" aria-label="打开的页面" ref={bar}>
        {list.map((tab, at) => {
          const { id, path, pinned } = tab;
          const extra = distinction(tabs, tab);
          return (
            <button
              key={id}
              type="button"
              role="tab"
              className="tab"
              aria-selected={id === active}
              aria-controls={id === active ? `panel-${id}` : undefined}
              tabIndex={id === active ? 0 : -1}
              title={at < 9 ? `Alt-${at + 1}` : undefined}
              draggable
              onDragStart={() => setDragged(id)}
              onDragOver={(event) => event.preventDefault()}
              onDrop={(event) => onDrop(event, at)}
              onClick={() => actions.show(tab)}
              onAuxClick={(event) => event.button === 1 && close([id], event.currentTarget)}
              onContextMenu={(event) => {
                event.preventDefault();
                onMenu(event.currentTarget, tab);
              }}
              onKeyDown={(event) => onKey(event, at)}
            >
              {pinned && <PushpinFilled aria-label="已固定" />}
              {titleOf(path)}
              {extra && <small>{extra}</small>}
              {unsaved.has(id) && (
                <span className="tab-unsaved" role="img" aria-label="有未提交的内容">
                  ●
                </span>
              )}
              {!pinned && <CloseMark onClick={(anchor) => close([id], anchor)} />}
            </button>
          );
        })}
      </div>
      {current && (
        <button
          type="button"
          className="tab-menu"
          aria-label="页签操作"
          aria-haspopup="dialog"
          onClick={(event) => onMenu(event.currentTarget, current)}
        >
          <MoreOutlined />
        </button>
      )}
    </nav>
  );
}

/** For the mouse; by keyboard it is Delete, or the menu. */
function CloseMark({ onClick }: { onClick: (anchor: HTMLElement) => void }) {
  const click = (event: MouseEvent<HTMLElement>) => {
    event.stopPropagation();
    const { parentElement } = event.currentTarget;
    if (parentElement) onClick(parentElement);
  };
  return (
    <span className="tab-close" aria-hidden="true" title="关闭" onClick={click}>
      ×
    </span>
  );
}
