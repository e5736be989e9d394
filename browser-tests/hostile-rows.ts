import { pageAccounts } from '#contract/accounts.ts';
import type { EndpointName } from '#contract/all.ts';
import { getCurrentPhase, listCatalogueGames, listCataloguePlayWays } from '#contract/platform-catalogue.ts';
import { given } from '#server/testing/given.ts';
import type { TestClient } from '#server/testing/test-client.ts';
import { expect, firstOperator } from './fixtures.ts';
import { type Clients, type Outcome, sender } from './hostile-texts.ts';

/** Where players bet: the sample game that draws by itself, in a phase that is open for a while yet. */
async function openPhase(site: TestClient) {
  const games = given((await site.call(listCatalogueGames, {})).envelope.data);
  const { id: gameId } = given(games.find(({ name }) => name === '示例五分彩'));
  const playWays = given((await site.call(listCataloguePlayWays, { id: gameId })).envelope.data);
  const playWay = given(playWays.find(({ selection, odds }) => selection === null && odds.length > 0));
  const current = async () => given((await site.call(getCurrentPhase, { id: gameId })).envelope.data);
  const seconds = (time: string | null) => Date.parse(`${time?.replace(' ', 'T')}Z`) / 1_000;
  await expect
    .poll(
      async () => {
        const { closeTime, serverTime } = await current();
        return seconds(closeTime) - seconds(serverTime) > 60;
      },
      { timeout: 180_000, intervals: [1_000] },
    )
    .toBe(true);
  const { phase } = await current();
  const line = { playWayId: playWay.id, selection: playWay.odds[0]?.number, unitStake: '1' };
  return { gameId, phase, lines: [line] };
}

/**
 * Has every command that takes texts take each payload. What would need rows that nobody has is refused, and stands in the change record all
 * the same.
 */
export async function storeEverywhere(
  clients: Clients,
  payloads: readonly string[],
  outcome: Outcome,
): Promise<void> {
  const { admin, site } = clients;
  const bets = await openPhase(site);
  const accountOf = async (userId: number): Promise<number> =>
    given((await admin.call(pageAccounts, { userId })).envelope.data?.data[0]?.id);

  async function storeOne(payload: string, place: number): Promise<void> {
    const send = sender(clients, payload, outcome);
    const add = async (name: EndpointName, base?: object) => Number(await send(name, base));
    const recorded = (name: EndpointName, base?: object) => send(name, base, { acts: false });
    // Numbers may hold nothing that is not seen.
    const some = payload.replaceAll('\u202e', '').slice(0, 30);

    // Players and their money, before a phase closes.
    const userId = await add('addUser');
    const player = await add('createUser', { username: `${payload.slice(0, 40)}//site` });
    const person = { userId };
    await send('postEntries', { entries: [{ userId: player, changeType: 'WIN', amount: '500' }] });
    const lines = bets.lines.map((line) => ({ ...line, odds: [{ number: some, odds: '2' }] }));
    const bet = { userId: player, ...bets, acceptOdds: 'ANY', lines };
    const placed = await send('placeBet', bet);
    const { slipId } = placed as { slipId: number };
    await recorded('cancelBet', { slipId });
    await recorded('cancelSlip', { id: slipId });
    const deposit = { userId: player, amount: '12.5', type: 'BANK_TRANSFER' };
    await send('reviewDeposit', { id: await add('placeDeposit', deposit), action: 'PASS' });
    const withdrawal = { userId: player, amount: '5', type: 'BANK_TRANSFER', receiveAccount: {} };
    await send('markWithdrawal', { id: await add('placeWithdrawal', withdrawal), action: 'PAID' });
    const id = await accountOf(player);
    await send('addBalance', { id, balance: '3' });
    await send('subtractBalance', { id, balance: '1' });
    await recorded('writeOffDebt', { id, amount: '1' });
    await send('updateUserNote', { id: await add('addUserNote', { ...person, pinned: true }) });
    await send('freezeUser', person);
    await send('unfreezeUser', person);
    await send('setPlayerLimit', { ...person, kind: 'LOSS', period: 'DAY', amount: '1000' });
    await send('excludeUser', { userId, excludedUntil: '2090-01-01 00:00:00' });
    await recorded('liftExclusion', person);
    const share = { userId, rate: '0.001', validFrom: '2026-01-01' };
    await send('updateAgent', { id: await add('addAgent', share), ...share });

    // Who may do what. An address holds the payload behind what makes it one.
    const role = await add('addRole');
    await send('updateRole', { id: role });
    await send('copyRole', { id: role, name: `${payload.slice(0, 40)}//copy` });
    const menu = { type: 'MENU', path: `/xss/${place}/${payload}` };
    await send('updateMenu', { id: await add('addMenu', menu), ...menu });
    const named = { userName: `hostile${place}`, password: 'a long phrase of the others' };
    const operator = await add('addOperator', named);
    await send('updateOperator', { id: operator, userName: `hostile-${place}` });
    await recorded('unlockOperator', { id: operator });
    await recorded('endOnlineSession');
    await send('updateParamSetting', { id: await add('addParamSetting') });
    const screen = '/main/user/user';
    await recorded('addListView', { screen });
    await recorded('saveListLayout', { screen: '/main/news/news', layout: { columns: [{}] } });

    const newsCategory = await add('addNewsCategory');
    await send('updateNewsCategory', { id: newsCategory });
    const news = { categoryId: newsCategory, important: true };
    await send('updateNews', { id: await add('addNews', news), ...news });
    const mail = { port: 25, host: `${place}.invalid` };
    const mailConfig = await add('addMailConfig', mail);
    await send('updateMailConfig', { id: mailConfig, ...mail });
    await recorded('sendTestMail', { id: mailConfig });
    await recorded('sendTemplateMail', {
      template: 'register',
      to: 'a@mail.invalid',
      variables: { code: payload },
    });
    await recorded('sendTemplateMail', { template: 'register' });
    await recorded('setOwnEmail', { password: firstOperator.password });

    // Games and what is drawn.
    const categoryId = await add('addGameCategory');
    await send('updateGameCategory', { id: categoryId });
    const resultRule = { parts: [{ count: 1, of: ['1', '2'], repeat: true, ordered: true }] };
    const game = { categoryId, openRate: 300, stopBetSecond: 30, phase: '1' };
    const gameId = await add('addGame', game);
    await send('updateGame', { id: gameId, ...game });
    const odd = { resultRule: { parts: [{ ...resultRule.parts[0], of: [some] }] }, numbers: [{}] };
    await recorded('addGame', { ...game, ...odd });
    await recorded('updateGamePhase', { id: gameId });
    await recorded('addGamePreset');
    const day = { beginDate: '2030-01-01 00:00:00', endDate: '2030-01-01 01:00:00' };
    await recorded('generateDrawPlans', { gameId, ...day });
    await send('updateGameNumber', { id: await add('addGameNumber', { gameId }) });
    await recorded('addGameNumbers', { gameId, numbers: [some] });
    await recorded('updateGame', { id: gameId, ...game, ...odd });
    const latitude = { gameId, resultIndex: '0', resultHandlerName: 'ValueHandler', handlerOptions: '' };
    const betLatitudeId = await add('addBetLatitude', latitude);
    await send('updateBetLatitude', { id: betLatitudeId, ...latitude });
    const parentCategoryId = await add('addPlayWayCategory', { gameId });
    await send('updatePlayWayCategory', { id: parentCategoryId });
    const subCategoryId = await add('addPlayWaySubCategory', { parentCategoryId });
    await send('updatePlayWaySubCategory', { id: subCategoryId });
    const playWay = { subCategoryId, betLatitudeId };
    const playWayId = await add('addPlayWay', playWay);
    await send('updatePlayWay', { id: playWayId, ...playWay });
    const selections = [
      { kind: 'COMBINATION', choose: 1, of: [some] },
      ...['PLACES', 'GROUP', 'TICKET'].flatMap((kind) => [
        { kind, of: [some], parts: [{ choose: 1, of: [some] }] },
        { kind, of: [[some]], parts: [{ choose: 1, of: [some] }] },
      ]),
    ];
    for (const selection of selections) {
      const rest = { ...playWay, selection, outcomes: [{ odds: '2' }] };
      await recorded('addPlayWay', rest);
      await recorded('updatePlayWay', { id: playWayId, ...rest });
    }
    const spider = {
      ...{ gameId, url: `https://x.invalid/${payload}`, spiderServiceName: 'OpenCodeSpider' },
      ...{ headers: '', enabled: false },
    };
    await send('updateSpider', { id: await add('addSpider', spider), ...spider });
    const limit = { gameId, maxUserStake: '100' };
    await send('updateBetLimit', { id: await add('addBetLimit', limit), ...limit });
    await recorded('enterDrawRecord', { gameId });
    await recorded('voidPhase', { gameId });
    for (const call of ['voidDrawPlan', 'stopAwaitingDraw', 'resolveDrawRecord'] as const)
      await recorded(call, { id: 999_999_999 });
    await recorded('applyCorrection', { recordId: 999_999_999 });
    await recorded('releaseHeldSlips', { id: 999_999_999 });
    await recorded('unvoidPhase', { settlementId: 999_999_999 });
    const rebate = { level: 1, categoryId, rate: '0.001' };
    await recorded('addRebateRate', rebate);
    await recorded('updateRebateRate', { id: 999_999_999, ...rebate });
    await recorded('releaseRebates');
    for (const call of ['rejectApproval', 'releaseApproval', 'withdrawApproval'] as const)
      await recorded(call, { id: 999_999_999 });
  }

  // A few at a time, and in no order: none stands on another.
  const waiting = [...payloads.entries()];
  const storing = async () => {
    for (let next = waiting.shift(); next; next = waiting.shift()) await storeOne(next[1], next[0]);
  };
  await Promise.all([storing(), storing(), storing(), storing()]);
  // Names that nobody has: the record of sign-ins holds them.
  for (const payload of payloads.slice(0, 2))
    await sender(clients, payload, outcome)('login', { password: 'wrong' }, { acts: false });
}
