import { MoreOutlined, PushpinFilled } from '@ant-design/icons';
import {
  type DragEvent,
  type KeyboardEvent,
  type MouseEvent,
  type RefObject,
  useEffect,
  useRef,
  useState,
} from 'react';
import { useUnsavedTabs } from '../../kit/form/index.ts';
import { askAt, openPopup } from '../../kit/overlay/index.ts';
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

/** Closes tabs, and asks first where something was entered in one and not sent. */
const useClosing = (list: readonly Tab[], { close }: TabActions, titleOf: (path: string) => string) => {
  const unsaved = useUnsavedTabs();
  return (ids: readonly string[], anchor: HTMLElement) => {
    const titles = list
      .filter(({ id }) => ids.includes(id) && unsaved.has(id))
      .map(({ path }) => titleOf(path));
    if (titles.length === 0) return close(ids);
    const text = `“${titles.join('”、“')}”中填写的内容尚未提交，关闭后将丢失。`;
    askAt(anchor, { text, word: '关闭', danger: true, onYes: () => close(ids) });
  };
};

/** Moves the tab that is dragged to where it is let go. */
function useDrag(move: TabActions['move']) {
  const [dragged, setDragged] = useState<string | null>(null);
  const drop = (at: number) => {
    if (dragged !== null) move(dragged, at);
    setDragged(null);
  };
  return { drag: setDragged, drop };
}

/** The tab that is shown is in sight, however many there are, and takes the keyboard over from one that was closed under it. */
function useInSight({ list, active }: Tabs): RefObject<HTMLDivElement | null> {
  const bar = useRef<HTMLDivElement>(null);
  const last = useRef<Element>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another tab may be out of sight, or the one that had the keyboard gone
  useEffect(() => {
    const shown = bar.current?.querySelector<HTMLElement>('[aria-selected="true"]');
    shown?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
    if (last.current?.isConnected === false && document.activeElement === document.body) shown?.focus();
  }, [list, active]);
  useEffect(() => {
    const note = ({ target }: Event) => {
      last.current = target instanceof Element && bar.current?.contains(target) ? target : null;
    };
    document.addEventListener('focusin', note);
    return () => document.removeEventListener('focusin', note);
  }, []);
  return bar;
}

/** The screens that are open, one tab each. */
export function TabBar({ tabs, actions, titleOf }: TabBarProps) {
  const { list, active } = tabs;
  const bar = useInSight(tabs);
  const { drag, drop } = useDrag(actions.move);
  const close = useClosing(list, actions, titleOf);
  useDigits(list, actions.show);

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
        {list.map((tab, at) => (
          <TabButton
            key={tab.id}
            {...{ tab, at, onMenu }}
            selected={tab.id === active}
            title={titleOf(tab.path)}
            extra={distinction(tabs, tab)}
            onShow={() => actions.show(tab)}
            onClose={(anchor) => close([tab.id], anchor)}
            onDrag={() => drag(tab.id)}
            onDrop={() => drop(at)}
          />
        ))}
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

interface TabButtonProps {
  readonly tab: Tab;
  readonly at: number;
  readonly selected: boolean;
  readonly title: string;
  /** What tells it from another tab of the same screen. */
  readonly extra: string;
  readonly onShow: () => void;
  readonly onClose: (anchor: HTMLElement) => void;
  readonly onMenu: (anchor: HTMLElement, tab: Tab) => void;
  readonly onDrag: () => void;
  readonly onDrop: () => void;
}

/** Leads from tab to tab by arrows, as far as they go. */
function focusBeside({ currentTarget, key }: KeyboardEvent<HTMLElement>, at: number): boolean {
  const step = { ArrowLeft: -1, ArrowRight: 1 }[key];
  const tabs = currentTarget.parentElement?.children;
  if (!step || !tabs) return false;
  const next = tabs[(at + step + tabs.length) % tabs.length];
  if (next instanceof HTMLElement) next.focus();
  return true;
}

function TabButton({ tab, at, selected, title, extra, ...on }: TabButtonProps) {
  const { id, pinned } = tab;
  const unsaved = useUnsavedTabs().has(id);
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    if (event.key === 'Delete') on.onClose(event.currentTarget);
    if (!event.altKey && focusBeside(event, at)) event.preventDefault();
  };
  const over = (event: DragEvent | MouseEvent) => event.preventDefault();
  return (
    <button
      type="button"
      role="tab"
      className="tab"
      aria-selected={selected}
      aria-controls={selected ? `panel-${id}` : undefined}
      tabIndex={selected ? 0 : -1}
      title={at < 9 ? `${title}（Alt-${at + 1}）` : title}
      draggable
      onDragStart={on.onDrag}
      onDragOver={over}
      onDrop={(event) => {
        over(event);
        on.onDrop();
      }}
      onClick={on.onShow}
      onAuxClick={(event) => event.button === 1 && on.onClose(event.currentTarget)}
      onContextMenu={(event) => {
        over(event);
        on.onMenu(event.currentTarget, tab);
      }}
      onKeyDown={onKeyDown}
    >
      {pinned && <PushpinFilled aria-label="已固定" />}
      <span className="tab-title">{title}</span>
      {extra && <small>{extra}</small>}
      {unsaved && (
        <span className="tab-unsaved" role="img" aria-label="有未提交的内容">
          ●
        </span>
      )}
      {!pinned && <CloseMark onClick={on.onClose} />}
    </button>
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
