// What screens may use of the kit: what lies over or around a screen.
export { Absent } from './Absent.tsx';
export { Antd } from './Antd.tsx';
export { Button, PlaceContext } from './Button.tsx';
export { Failsafe } from './Failsafe.tsx';
export { Fetching } from './Fetching.tsx';
export { FieldError, saidAt, saidOf } from './FieldError.tsx';
export { fetched } from './fetched.tsx';
// Fetched when it is first opened: no screen waits for antd.
export { LazyDialog as Dialog } from './LazyDialog.ts';
export { lazily } from './lazily.tsx';
export { MenuIcon } from './MenuIcon.tsx';
export { Notices } from './Notices.tsx';
export { NotLoaded } from './NotLoaded.tsx';
export { csp } from './nonce.ts';
export { Overlays, tellUnopened, useCloseDialog, useDialogOpen } from './Overlays.tsx';
export {
  closePopup,
  dropOverlays,
  dropTab,
  isCovered,
  openDialog,
  openPopup,
  showTab,
} from './overlays.ts';
export { askAt } from './Question.tsx';
export { RowContext } from './row-context.ts';
export { ScreenLink, screenAddress } from './ScreenLink.tsx';
export { ScreenContext } from './screen-context.ts';
export { TabContext } from './tab.ts';
export { applyTheme, toggleTheme, useTheme } from './theme-choice.ts';
export { useErrorFocus } from './use-error-focus.ts';
