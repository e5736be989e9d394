import { globSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { moduleIndex } from '../scripts/module-index.ts';
import { contract, endpointsOf, nouns } from './all.ts';
import { type AnyEndpoint, arrayField, basePath, pathFields } from './endpoint.ts';
import { metaOf } from './fields.ts';
import { elementOf, rowSchemaOf, shapeOf } from './row-schema.ts';
import { buttons, releaseRights, screens } from './screens.ts';

/** The calls of the specification, as it writes them. */
const specified = `
POST /login
GET /pms/menu/listByCurrentUser
POST /pms/role/add
GET /pms/role/deleteById/{id}
POST /pms/role/update
POST /pms/role/list
POST /pms/role/bindMenusById/{rid}
POST /pms/menu/add
POST /pms/menu/list
GET /pms/menu/deleteById/{id}
POST /pms/menu/update
POST /pms/operator/add
GET /pms/operator/deleteById/{id}
POST /pms/operator/update
POST /pms/operator/list
POST /pms/operator/bindRoles/{oid}
GET /pms/operator/resetGoogleKeyByOperatorId/{id}
GET /pms/operator/cleanGoogleKeyByOperatorId/{id}
POST /system/safe/changPassword
POST /lotteryGame/page
POST /lotteryGame/list
POST /lotteryGame/add
GET /lotteryGame/deleteById/{id}
POST /lotteryGame/update
GET /lotteryGame/updatePhase/{id}/{phase}
GET /lotteryGame/changeStatus/{id}/{bool}
GET /lotteryGame/changeBetStatus/{id}/{bool}
POST /lotteryGame/addBetTime
GET /lotteryGame/deleteBetTimeRangeById/{id}
POST /game/gameNumber/page
POST /game/gameNumber/add
GET /game/gameNumber/listByGameId/{id}
GET /game/gameNumber/deleteById/{id}
POST /game/gameNumber/update
POST /game/playWay/page
POST /game/playWay/add
GET /game/playWay/deleteById/{id}
POST /game/playWay/update
POST /game/playWayCategory/page
POST /game/playWayCategory/add
GET /game/playWayCategory/deleteById/{id}
POST /game/playWayCategory/update
POST /game/playWaySubCategory/add
GET /game/playWaySubCategory/deleteById/{id}
POST /game/playWaySubCategory/update
POST /game/odds/add
GET /game/odds/deleteById/{id}
POST /game/openLotteryRecord/page
POST /game/openPlan/page
POST /game/openPlan/generate
GET /game/openPlan/cleanExcludeTodayByGameId/{gameId}
POST /game/openPlan/cleanByGameId
POST /game/betLatitude/page
POST /game/betLatitude/add
GET /game/betLatitude/deleteById/{id}
POST /game/betLatitude/update
GET /game/betLatitude/listByPlayWayCategoryId/{id}
POST /game/category/page
POST /game/category/add
GET /game/category/deleteById/{id}
POST /game/category/update
POST /game/spider/page
POST /game/spider/add
GET /game/spider/deleteById/{id}
POST /game/spider/update
POST /user/user/page
POST /user/user/add
POST /user/account/page
GET /user/account/addBalance/{id}/{balance}
GET /user/account/subBalance/{id}/{balance}
POST /session/mySessionList
GET /session/getById/{id}
POST /session/add
GET /session/active/{sessionId}
GET /session/loginByPhone/{id}/{phone}
GET /session/loginByCode/{id}/{code}
GET /session/loginByPassword/{id}/{password}
POST /news/category/list
POST /news/category/add
POST /news/category/update
GET /news/category/deleteById/{id}
POST /news/news/page
POST /news/news/add
GET /news/news/deleteById/{id}
POST /news/news/update
POST /system/paramsSetting/list
POST /system/paramsSetting/add
POST /system/paramsSetting/update
GET /system/paramsSetting/deleteById/{id}
POST /mail/config/list
POST /mail/config/add
POST /mail/config/update
GET /mail/config/deleteById/{id}
GET /mail/config/active/{id}
`;

/** Every call of operators as docs/specification-calls.md has it, which `npm run specification:calls` writes anew. */
const told = [
  ...readFileSync(new URL('../docs/specification-calls.md', import.meta.url), 'utf8').matchAll(
    /^\| `((?:GET|POST) (?!\/open\/v1\/)[^`]+)`/gm,
  ),
].map(([, call = '']) => call);

/** The calls of the players' site, under /open/v1. */
const platform = `
POST /users
POST /deposits
POST /withdrawals
POST /entries
GET /users/{id}/balance
GET /games/{id}/plans
GET /games/{id}/records
POST /mails
GET /games
GET /games/{id}/current
GET /games/{id}/playWays
POST /bets
GET /bets/{slipId}
GET /bets
GET /users/{id}/bets
POST /bets/{slipId}/cancel
GET /users/{id}/limits
POST /users/{id}/limits
POST /users/{id}/exclude
`;

const lines = (text: string): string[] => text.trim().split('\n');
// What a path calls its places is not seen on the wire.
const onTheWire = (call: string): string => call.replace(/\{\w+\}/g, '{}');
const calls = Object.entries<AnyEndpoint>(contract);
const declared = (under: '/api' | '/open/v1'): string[] =>
  calls
    .filter(([, endpoint]) => basePath(endpoint) === under)
    .map(([, endpoint]) => onTheWire(`${endpoint.verb} ${endpoint.path}`));

describe('the inventory of calls', () => {
  it('lists the 94 of the specification, 34 of them GET', () => {
    expect(lines(specified)).toHaveLength(94);
    expect(lines(specified).filter((call) => call.startsWith('GET'))).toHaveLength(34);
  });

  it('has every one of the specification in the contract', () => {
    expect(declared('/api')).toEqual(expect.arrayContaining(lines(specified).map(onTheWire)));
  });

  it('is the contract under /api, no call less and none more', () => {
    expect(declared('/api').sort()).toEqual(told.map(onTheWire).sort());
  });

  it('is the contract under /open/v1, no call less and none more', () => {
    expect(declared('/open/v1').sort()).toEqual(lines(platform).map(onTheWire).sort());
  });

  it('tells reading from changing, whatever the verb', () => {
    const known = new Set(lines(specified).map(onTheWire));
    const ofSpecification = calls.filter(([, { verb, path }]) => known.has(onTheWire(`${verb} ${path}`)));
    const readingGets = ofSpecification.filter(([, { verb, kind }]) => verb === 'GET' && kind === 'query');
    expect(readingGets.map(([name]) => name).sort()).toEqual([
      'getChatSession',
      'listBetLatitudesByPlayWayCategory',
      'listCurrentMenus',
      'listGameNumbersByGame',
    ]);
    const readingPosts = ofSpecification.filter(([, { verb, kind }]) => verb === 'POST' && kind === 'query');
    expect(readingPosts).toHaveLength(20);
    for (const [name, { path }] of readingPosts) expect(path, name).toMatch(/\/(page|list|mySessionList)$/);
  });
});

describe('the files of calls', () => {
  const folder = new URL('.', import.meta.url);
  const files = globSync('*.ts', { cwd: folder }).map((name) => ({
    name,
    text: readFileSync(new URL(name, folder), 'utf8'),
  }));

  it('are all entered; `npm run modules` does it', () => {
    expect(files.find(({ name }) => name === 'modules.ts')?.text).toBe(moduleIndex(files));
  });

  it('have a heading each, and no two the same', () => {
    const calling = files.filter(
      ({ name, text }) => !/test|endpoint/.test(name) && /= (query|command)\(/.test(text),
    );
    expect(calling.length).toBeGreaterThan(30);
    for (const { name, text } of calling) expect(text, name).toMatch(/^export const heading = '/m);
    expect(Object.keys(nouns)).toHaveLength(calling.length);
  });
});

describe('every call', () => {
  it('that adds, updates or deletes says so', () => {
    for (const [name, { kind, effect = 'do' }] of calls)
      if (kind === 'command' && /^(add|update|delete)[A-Z]/.test(name) && name !== 'addBalance')
        expect(name.startsWith(effect), name).toBe(true);
  });

  it('that changes something answers what nobody takes for a failure', () => {
    // What waited for a second operator answers what its own call does.
    const changing = calls.filter(([name, { kind }]) => kind === 'command' && name !== 'releaseApproval');
    const falsy = [0, '', false, null, undefined];
    const failing = changing.filter(([, { output }]) => falsy.some((data) => output.safeParse(data).success));
    expect(failing.map(([name]) => name)).toEqual([]);
  });

  it('that edits a row presumes no switch: one that is left out stays as it was', () => {
    const edits = calls.filter(([, { effect }]) => effect === 'update');
    const presumed = edits.flatMap(([name, { input }]) =>
      Object.entries(shapeOf(input))
        .filter(([, field]) => field instanceof z.ZodDefault && metaOf(field).kind === 'flag')
        .map(([field]) => `${name}: ${field}`),
    );
    expect(presumed).toEqual([]);
  });

  it('has a name of its own', () => {
    const names = Object.values(nouns).flatMap((noun) => endpointsOf(noun).map(([name]) => name));
    expect([...new Set(names)]).toEqual(names);
    expect(Object.keys(contract).sort()).toEqual(names.sort());
  });

  it.each(calls)('%s says who may make it and takes what its path carries', (_name, endpoint) => {
    const { access } = endpoint;
    if (typeof access === 'object') expect(access.screens.length).toBeGreaterThan(0);
    else expect(['public', 'signed-in', 'platform']).toContain(access);
    const { shape } = endpoint.input as unknown as { shape: Record<string, z.ZodType> };
    for (const field of pathFields(endpoint)) expect(shape).toHaveProperty([field]);
    const list = endpoint.body === 'array' ? shape[arrayField(endpoint)] : z.array(z.string());
    expect(list && elementOf(list)).toBeDefined();
    if (endpoint.verb === 'GET') expect(endpoint.body).toBe('none');
  });

  it('names a range of moments as the moment in its rows', () => {
    const others = calls.flatMap(([name, { kind, input, output }]) => {
      if (kind !== 'query') return [];
      const row = shapeOf(rowSchemaOf(output));
      return Object.entries(shapeOf(input)).flatMap(([field, asked]) => {
        const [told, { title }] = [row[field.replace(/Range$/, '')], metaOf(asked)];
        return field.endsWith('Range') && told && metaOf(told).title !== title ? [`${name}: ${title}`] : [];
      });
    });
    expect(others).toEqual([]);
  });

  it('is open to everyone signed in only where nothing is shown or changed but one’s own, or what one may see', () => {
    const open = calls.filter(([, { access }]) => access === 'signed-in').map(([name]) => name);
    expect(open.sort()).toEqual([
      'addListView',
      'beginGoogleKey',
      'changePassword',
      'confirmGoogleKey',
      'confirmStepUp',
      'deleteListView',
      'endRoleTrial',
      'findRows',
      'getConsoleSettings',
      'getHappenings',
      'getOverview',
      'getOwnGoogleKey',
      'getRoleTrial',
      'getSignInNotices',
      'listCurrentMenus',
      'listPreferences',
      'logout',
      'noteAddresses',
      'renewRecoveryCodes',
      'saveLanguage',
      'saveListLayout',
      'setOwnEmail',
      'startListView',
    ]);
    const unguarded = calls.filter(([, { access }]) => access === 'public').map(([name]) => name);
    expect(unguarded.sort()).toEqual(['login', 'publicSettings', 'refreshToken', 'verifyDraw']);
  });
});

it('asks for a fresh Google code where money is given or rights are changed', () => {
  const asking = (how: 'always' | 'sometimes') =>
    calls
      .filter(([, { stepUp }]) => (how === 'always' ? stepUp === true : typeof stepUp === 'object'))
      .map(([name]) => name)
      .sort();
  expect(asking('always')).toEqual([
    'addBalance',
    'addOperator',
    'bindOperatorRoles',
    'bindRoleMenus',
    'cleanGoogleKey',
    'copyRole',
    'deleteOperator',
    'disableOperator',
    'enableOperator',
    'releaseApproval',
    'resetGoogleKey',
    'resetOperatorPassword',
    'subtractBalance',
    'updateMenu',
  ]);
  expect(asking('sometimes')).toEqual(['markWithdrawal', 'reviewDeposit', 'updateParamSetting']);
});

describe('screens and buttons', () => {
  const grants = calls.flatMap(([, { kind, access }]) =>
    typeof access === 'object' ? [{ kind, ...access }] : [],
  );

  it.each(screens)('$path has something to show', ({ path }) => {
    const shown = grants.filter(
      ({ kind, button, screens }) => kind === 'query' && !button && screens.includes(path),
    );
    expect(shown.length).toBeGreaterThan(0);
  });

  const pressed = buttons.filter(({ code }) => !releaseRights.some((right) => right === code));

  it('lets rights to release open that, and no call of their own', () => {
    expect(releaseRights.length).toBe(buttons.length - pressed.length);
    for (const right of releaseRights) expect(grants.some(({ button }) => button === right)).toBe(false);
  });

  it.each(pressed)('$code does something on its screen', ({ code, screen }) => {
    const done = grants.filter(({ kind, button }) => kind === 'command' && button === code);
    expect(done.length).toBeGreaterThan(0);
    expect(done.some(({ screens }) => screens.includes(screen))).toBe(true);
  });
});
