import type { Handlers } from '#server/http/handler.ts';
import { plainRows } from '#server/http/plain-rows.ts';
import { accountsHandlers } from './accounts/accounts-handlers.ts';
import { agentsHandlers } from './agents/agents-handlers.ts';
import { approvalsHandlers } from './approvals/approvals-handlers.ts';
import { betLatitudesHandlers } from './bet-latitudes/bet-latitudes-handlers.ts';
import { betLimitsHandlers } from './bet-limits/bet-limits-handlers.ts';
import { changeRecordsHandlers } from './change-records/change-records-handlers.ts';
import { chatSessionsHandlers } from './chat-sessions/chat-sessions-handlers.ts';
import { consoleSettingsHandlers } from './console-settings/console-settings-handlers.ts';
import { depositsHandlers } from './deposits/deposits-handlers.ts';
import { drawDeskHandlers } from './draw-desk/draw-desk-handlers.ts';
import { drawPlansHandlers } from './draw-plans/draw-plans-handlers.ts';
import { drawRecordsHandlers } from './draw-records/draw-records-handlers.ts';
import { explanationsHandlers } from './explanations/explanations-handlers.ts';
import { exposureHandlers } from './exposure/exposure-handlers.ts';
import { findingHandlers } from './finding/finding-handlers.ts';
import { gameCategoriesHandlers } from './game-categories/game-categories-handlers.ts';
import { gameNumbersHandlers } from './game-numbers/game-numbers-handlers.ts';
import { gamePagesHandlers } from './game-pages/game-pages-handlers.ts';
import { gamesHandlers } from './games/games-handlers.ts';
import { ledgerHandlers } from './ledger/ledger-handlers.ts';
import { listPreferencesHandlers } from './list-preferences/list-preferences-handlers.ts';
import { liveHandlers } from './live/live-handlers.ts';
import { loginRecordsHandlers } from './login-records/login-records-handlers.ts';
import { mailConfigsHandlers } from './mail/mail-configs-handlers.ts';
import { mailHandlers } from './mail/mail-handlers.ts';
import { menusHandlers } from './menus/menus-handlers.ts';
import { moneyDeskHandlers } from './money-desk/money-desk-handlers.ts';
import { oddsHandlers } from './odds/odds-handlers.ts';
import { onlineSessionsHandlers } from './online-sessions/online-sessions-handlers.ts';
import { operatorStateHandlers } from './operators/operator-state-handlers.ts';
import { operatorsHandlers } from './operators/operators-handlers.ts';
import { overviewHandlers } from './overview/overview-handlers.ts';
import { paramSettingsHandlers } from './param-settings/param-settings-handlers.ts';
import { platformHandlers } from './platform/platform-handlers.ts';
import { playWayCategoriesHandlers } from './play-way-categories/play-way-categories-handlers.ts';
import { playWaysHandlers } from './play-ways/play-ways-handlers.ts';
import { playerLimitsHandlers } from './player-limits/player-limits-handlers.ts';
import { presetsHandlers } from './presets/presets-handlers.ts';
import { rebatesHandlers } from './rebates/rebates-handlers.ts';
import { reportsHandlers } from './reports/reports-handlers.ts';
import { roleTrialHandlers } from './roles/role-trial-handlers.ts';
import { rolesHandlers } from './roles/roles-handlers.ts';
import { ruleSandboxHandlers } from './rule-sandbox/rule-sandbox-handlers.ts';
import { anchorsHandlers } from './seals/anchors-handlers.ts';
import { googleKeysHandlers } from './security/google-keys-handlers.ts';
import { securityHandlers } from './security/security-handlers.ts';
import { signInNoticesHandlers } from './security/sign-in-notices-handlers.ts';
import { correctionsHandlers } from './settlements/corrections-handlers.ts';
import { settlementsHandlers } from './settlements/settlements-handlers.ts';
import { signInHandlers } from './sign-in/sign-in-handlers.ts';
import { slipsHandlers } from './slips/slips-handlers.ts';
import { spidersHandlers } from './spiders/spiders-handlers.ts';
import { turnoverRequirementsHandlers } from './turnover-requirements/turnover-requirements-handlers.ts';
import { userNotesHandlers } from './user-notes/user-notes-handlers.ts';
import { userPagesHandlers } from './user-pages/user-pages-handlers.ts';
import { usersHandlers } from './users/users-handlers.ts';
import { withdrawalsHandlers } from './withdrawals/withdrawals-handlers.ts';

/** Every call's handler; a call without one does not compile. */
export const registry: Handlers = {
  ...plainRows,
  ...liveHandlers,
  ...findingHandlers,
  ...signInHandlers,
  ...slipsHandlers,
  ...reportsHandlers,
  ...settlementsHandlers,
  ...betLimitsHandlers,
  ...exposureHandlers,
  ...correctionsHandlers,
  ...securityHandlers,
  ...googleKeysHandlers,
  ...signInNoticesHandlers,
  ...menusHandlers,
  ...rolesHandlers,
  ...roleTrialHandlers,
  ...explanationsHandlers,
  ...ruleSandboxHandlers,
  ...operatorsHandlers,
  ...operatorStateHandlers,
  ...loginRecordsHandlers,
  ...onlineSessionsHandlers,
  ...gamesHandlers,
  ...gameCategoriesHandlers,
  ...gameNumbersHandlers,
  ...drawPlansHandlers,
  ...drawDeskHandlers,
  ...betLatitudesHandlers,
  ...playWayCategoriesHandlers,
  ...playWaysHandlers,
  ...oddsHandlers,
  ...drawRecordsHandlers,
  ...spidersHandlers,
  ...presetsHandlers,
  ...paramSettingsHandlers,
  ...consoleSettingsHandlers,
  ...chatSessionsHandlers,
  ...mailConfigsHandlers,
  ...mailHandlers,
  ...changeRecordsHandlers,
  ...approvalsHandlers,
  ...gamePagesHandlers,
  ...usersHandlers,
  ...userNotesHandlers,
  ...userPagesHandlers,
  ...accountsHandlers,
  ...ledgerHandlers,
  ...depositsHandlers,
  ...withdrawalsHandlers,
  ...moneyDeskHandlers,
  ...platformHandlers,
  ...playerLimitsHandlers,
  ...overviewHandlers,
  ...listPreferencesHandlers,
  ...agentsHandlers,
  ...anchorsHandlers,
  ...rebatesHandlers,
  ...turnoverRequirementsHandlers,
};
