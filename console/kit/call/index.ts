// What screens may use of the kit: what reaches the server, and who is signed in.

export { watchUnanswered } from './ask-again.ts';
export { beginNews } from './begin-news.ts';
export { call } from './call.ts';
export { CallFailed } from './call-failed.ts';
export { saveFile } from './download-list.ts';
export { forgetFirstCalls, learnFirstCalls, takeFirstAnswers } from './first-calls.ts';
export { changeLanguage, chooseForSignIn, followLanguage, otherLanguage } from './language-choice.ts';
export { useLive, useLiveWaiting } from './live.ts';
export { readCache, readWindowCache, writeCache, writeWindowCache } from './local-cache.ts';
export {
  grantedPaths,
  heldCodes,
  landingPath,
  mayOpen,
  type SideBarFolder,
  sideBarOf,
  trailOf,
} from './menu-tree.ts';
export { needsText, whyHref } from './missing-right.ts';
export { showCarriedNotice, toast } from './notices.ts';
export { platformZone, wallClock } from './platform-zone.ts';
export { queryClient } from './query-client.ts';
export { serverNow } from './server-clock.ts';
export {
  hasSession,
  leaveForLogin,
  readOperatorName,
  reloadAnew,
  watchSession,
  writeMenus,
  writeSession,
} from './session.ts';
export { reportToday } from './today.ts';
export { learnLanguage, told } from './told.ts';
export { useCommand } from './use-command.ts';
export { answeredBefore, useEndpoint } from './use-endpoint.ts';
export { CodesContext, PathsContext, useMay, useMayOpen, useMenus, useReadMenus } from './use-menus.ts';
