import { describe, expect, it } from 'vitest';
import { callsAbout, headingAbout } from './about.ts';
import { endpointsOf, nouns } from './all.ts';
import { pathFields } from './endpoint.ts';
import { metaOf } from './fields.ts';
import { targetOf } from './recorded-fields.ts';
import type { NounName } from './ref.ts';
import { shapeOf } from './row-schema.ts';

const commands = Object.entries(nouns).flatMap(([heading, calls]) =>
  endpointsOf(calls)
    .filter(([, { kind }]) => kind === 'command')
    .map(([name, endpoint]) => ({ heading, name, endpoint })),
);

/** The noun that each heading's rows are of, as links of the change record have it. */
function nounOfHeading(heading: string | undefined): NounName | undefined {
  const own = commands.find(
    (each) => each.heading === heading && !each.endpoint.about && (each.endpoint.effect ?? 'do') !== 'do',
  );
  return own && targetOf({ call: own.name, targetId: '1' })?.noun;
}

const namesOf = (heading: string) =>
  callsAbout(heading).map(({ name, by }) => (by ? `${name} ${by.code}` : name));

describe('what a change is about', () => {
  it('is a heading of the contract, and another than its own', () => {
    for (const { heading, endpoint } of commands) {
      const { about = [] } = endpoint;
      for (const each of typeof about === 'object'
        ? Object.values('headings' in about ? about.headings : {})
        : [about]) {
        expect(Object.keys(nouns)).toContain(each);
        expect(each).not.toBe(heading);
      }
    }
  });

  it.each(commands)('is a row of the noun that $name names by its path or number', ({ endpoint }) => {
    const shape = shapeOf(endpoint.input);
    const field = pathFields(endpoint)[0] ?? 'id';
    const ref = shape[field] && metaOf(shape[field]).ref;
    if (ref) expect(nounOfHeading(headingAbout(endpoint, () => undefined)) ?? ref).toBe(ref);
  });

  it('is a row that is named, where a call of a list adds none and has no number', () => {
    const foreign = commands.flatMap(({ heading, name, endpoint }) => {
      const shape = shapeOf(endpoint.input);
      const isByNumber = 'id' in shape || pathFields(endpoint).length > 0;
      const refs = Object.values(shape).flatMap((schema) => metaOf(schema).ref ?? []);
      const adds = endpoint.effect === 'add' && !endpoint.about;
      if (isByNumber || adds || refs.length === 0) return [];
      const noun = nounOfHeading(headingAbout(endpoint, () => undefined));
      return noun && refs.includes(noun) ? [] : [`${heading} ${name}`];
    });
    // These add rows of their noun, though they tell so in words of their own; a settlement that is undone is one.
    expect(foreign).toEqual([
      '开奖记录 enterDrawRecord',
      '平台接口 placeDeposit',
      '平台接口 placeWithdrawal',
      '平台投注 placeBet',
      '结算 voidPhase',
      '结算 unvoidPhase',
    ]);
  });

  it('is found under its noun, wherever its call stands', () => {
    expect(namesOf('游戏')).toEqual(
      expect.arrayContaining(['updateGame', 'generateDrawPlans', 'cleanDrawPlans']),
    );
    expect(namesOf('开奖计划')).not.toContain('generateDrawPlans');
    expect(namesOf('开奖记录')).toContain('applyCorrection');
    expect(namesOf('用户')).toEqual(expect.arrayContaining(['freezeUser', 'setPlayerLimit', 'createUser']));
    expect(namesOf('充值订单')).toEqual(expect.arrayContaining(['reviewDeposit', 'takeOrder DEPOSIT']));
    expect(namesOf('提现订单')).not.toContain('takeOrder DEPOSIT');
  });

  it('is found under a heading of calls that are all about rows of others', () => {
    expect(namesOf('资金工作台')).toEqual(expect.arrayContaining(['takeOrder', 'putBackOrder']));
    expect(namesOf('更正')).toContain('applyCorrection');
    expect(namesOf('无此类别')).toEqual([]);
  });
});
