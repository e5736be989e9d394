// Made by `npm run modules` from the files that have a heading; not to be edited by hand.
import * as accountHistory from './account-history.ts';
import * as accounts from './accounts.ts';
import * as agents from './agents.ts';
import * as anchors from './anchors.ts';
import * as approvals from './approvals.ts';
import * as betLatitudes from './bet-latitudes.ts';
import * as betLimits from './bet-limits.ts';
import * as changeRecords from './change-records.ts';
import * as chatSessions from './chat-sessions.ts';
import * as consoleSettings from './console-settings.ts';
import * as corrections from './corrections.ts';
import * as deposits from './deposits.ts';
import * as drawDesk from './draw-desk.ts';
import * as drawPlans from './draw-plans.ts';
import * as drawRecords from './draw-records.ts';
import * as explanations from './explanations.ts';
import * as exposure from './exposure.ts';
import * as finding from './finding.ts';
import * as gameCategories from './game-categories.ts';
import * as gameNumbers from './game-numbers.ts';
import * as gamePages from './game-pages.ts';
import * as games from './games.ts';
import * as googleKeys from './google-keys.ts';
import * as happenings from './happenings.ts';
import * as listPreferences from './list-preferences.ts';
import * as loginRecords from './login-records.ts';
import * as mailConfigs from './mail-configs.ts';
import * as mailOutbox from './mail-outbox.ts';
import * as menus from './menus.ts';
import * as moneyDesk from './money-desk.ts';
import * as news from './news.ts';
import * as newsCategories from './news-categories.ts';
import * as odds from './odds.ts';
import * as onlineSessions from './online-sessions.ts';
import * as operators from './operators.ts';
import * as overview from './overview.ts';
import * as paramSettings from './param-settings.ts';
import * as platform from './platform.ts';
import * as platformBets from './platform-bets.ts';
import * as platformCatalogue from './platform-catalogue.ts';
import * as playWayCategories from './play-way-categories.ts';
import * as playWaySubCategories from './play-way-sub-categories.ts';
import * as playWays from './play-ways.ts';
import * as playerLimits from './player-limits.ts';
import * as rebates from './rebates.ts';
import * as reports from './reports.ts';
import * as roleTrials from './role-trials.ts';
import * as roles from './roles.ts';
import * as ruleSandbox from './rule-sandbox.ts';
import * as security from './security.ts';
import * as settlements from './settlements.ts';
import * as signIn from './sign-in.ts';
import * as signInNotices from './sign-in-notices.ts';
import * as slips from './slips.ts';
import * as spiders from './spiders.ts';
import * as turnoverRequirements from './turnover-requirements.ts';
import * as userNotes from './user-notes.ts';
import * as userPages from './user-pages.ts';
import * as users from './users.ts';
import * as withdrawals from './withdrawals.ts';

/** Every file of calls. */
export const modules = [
  accountHistory,
  accounts,
  agents,
  anchors,
  approvals,
  betLatitudes,
  betLimits,
  changeRecords,
  chatSessions,
  consoleSettings,
  corrections,
  deposits,
  drawDesk,
  drawPlans,
  drawRecords,
  explanations,
  exposure,
  finding,
  gameCategories,
  gameNumbers,
  gamePages,
  games,
  googleKeys,
  happenings,
  listPreferences,
  loginRecords,
  mailConfigs,
  mailOutbox,
  menus,
  moneyDesk,
  news,
  newsCategories,
  odds,
  onlineSessions,
  operators,
  overview,
  paramSettings,
  platform,
  platformBets,
  platformCatalogue,
  playWayCategories,
  playWaySubCategories,
  playWays,
  playerLimits,
  rebates,
  reports,
  roleTrials,
  roles,
  ruleSandbox,
  security,
  settlements,
  signIn,
  signInNotices,
  slips,
  spiders,
  turnoverRequirements,
  userNotes,
  userPages,
  users,
  withdrawals,
] as const;
