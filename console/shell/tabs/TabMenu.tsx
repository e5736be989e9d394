import { Button, closePopup, PlaceContext } from '../../kit/overlay/index.ts';
import type { Tab, Tabs } from './tab-list.ts';
import type { TabActions } from './use-tabs.ts';

interface TabMenuProps {
  readonly tab: Tab;
  readonly tabs: Tabs;
  readonly actions: TabActions;
  /** Closes these, asking first where something is entered in them. */
  readonly onClose: (ids: readonly string[]) => void;
}

/** What can be done with a tab, by mouse and keyboard alike. */
export function TabMenu({ tab: { id, pinned }, tabs: { list }, actions, onClose }: TabMenuProps) {
  const at = list.findIndex((tab) => tab.id === id);
  const others = list.filter((tab) => tab.id !== id && !tab.pinned).map((tab) => tab.id);
  // Pinned ones stand first whatever is moved.
  const movesTo = (to: number) => list[to]?.pinned === pinned;
  const item = (word: string, act: () => void) => (
    <Button
      onClick={() => {
        closePopup();
        act();
      }}
    >
      {word}
    </Button>
  );
  return (
    <PlaceContext value="popup">
      <div className="popup-items">
        {item('复制页签', () => actions.copy(id))}
        {item(pinned ? '取消固定' : '固定页签', () => actions.pin(id, !pinned))}
        {movesTo(at - 1) && item('左移', () => actions.move(id, at - 1))}
        {movesTo(at + 1) && item('右移', () => actions.move(id, at + 1))}
        {item('关闭', () => onClose([id]))}
        {others.length > 0 && item('关闭其他', () => onClose(others))}
      </div>
    </PlaceContext>
  );
}
