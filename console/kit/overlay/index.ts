// What screens may use of the kit: what lies over or around a screen.
export { Antd } from './Antd.tsx';
export { Button, PlaceContext } from './Button.tsx';
export { Dialog } from './Dialog.tsx';
export { Failsafe } from './Failsafe.tsx';
export { lazily } from './lazily.tsx';
export { LazyDialog } from './LazyDialog.ts';
export { MenuIcon } from './MenuIcon.tsx';
export { csp } from './nonce.ts';
export { Notices } from './Notices.tsx';
export { closePopup, dropOverlays, dropTab, openDialog, openPopup, readOverlays, showTab } from './overlays.ts';
export { Overlays, useCloseDialog } from './Overlays.tsx';
export { Question } from './Question.tsx';
export { ScreenContext } from './screen-context.ts';
export { ScreenLink } from './ScreenLink.tsx';
export { TabContext } from './tab.ts';
export { applyTheme, toggleTheme, useTheme } from './theme-choice.ts';
