import { describe, expect, it } from 'vitest';
import { updateGame } from '#contract/games.ts';
import { updateSpider } from '#contract/spiders.ts';
import { differencesOf, firstChoices, settled } from './conflict.ts';
import { askedFields } from './field-spec.ts';

const fields = askedFields(updateGame, ['name', 'openRate', 'stopBetSecond', 'introduce', 'phaseRule']);
const opened = {
  ...{ id: 1, version: 3, name: '甲', openRate: 300, stopBetSecond: 10, introduce: null, phaseRule: 'DAILY' },
  ...{ categoryId: 7, numbers: null },
};
const mine = { ...opened, name: '我的', openRate: '300', stopBetSecond: '20', introduce: '' };
const theirs = { ...opened, version: 4, name: '对方的', phaseRule: 'YEARLY', categoryId: 8, numbers: ['01'] };
const told = (list: ReturnType<typeof differencesOf>) =>
  list.map(({ asked, changedBy }) => [asked.field.name, changedBy]);

describe('a form and a row that was changed meanwhile', () => {
  it('differ where one moved away from what both began with, whatever type it was typed as', () => {
    expect(told(differencesOf(fields, { opened, mine, theirs }))).toEqual([
      ['name', 'both'],
      ['stopBetSecond', 'mine'],
      ['phaseRule', 'theirs'],
    ]);
  });

  it('agree where both say the same, though both changed it', () => {
    expect(
      differencesOf(fields, { opened, mine: { ...opened, name: '同' }, theirs: { ...opened, name: '同' } }),
    ).toEqual([]);
  });

  it('leave open only what both changed', () => {
    const differences = differencesOf(fields, { opened, mine, theirs });
    expect(firstChoices(differences)).toEqual({
      name: undefined,
      stopBetSecond: 'mine',
      phaseRule: 'theirs',
    });
  });

  it('become an edit of the row as it is now, in which what no field shows follows the row', () => {
    const chosen = { name: 'mine', stopBetSecond: 'mine', phaseRule: 'theirs' } as const;
    expect(settled(fields, { mine, theirs }, chosen)).toEqual({
      ...mine,
      version: 4,
      phaseRule: 'YEARLY',
      categoryId: 8,
    });
    expect(settled(fields, { mine, theirs }, { ...chosen, name: 'theirs' }).name).toBe('对方的');
  });

  it('do not differ in fields that neither shows', () => {
    const onlyRemote = (values: Readonly<Record<string, unknown>>) =>
      values.spiderServiceName !== 'LocalDrawSpider';
    const spider = askedFields(updateSpider, ['spiderServiceName', { field: 'url', when: onlyRemote }]);
    const local = { spiderServiceName: 'LocalDrawSpider', url: null };
    const left = { ...local, url: 'https://a.example/' };
    expect(told(differencesOf(spider, { opened: local, mine: local, theirs: left }))).toEqual([]);
    const remote = { spiderServiceName: 'JsonPathSpider', url: 'https://a.example/' };
    expect(told(differencesOf(spider, { opened: local, mine: local, theirs: remote }))).toEqual([
      ['spiderServiceName', 'theirs'],
      ['url', 'theirs'],
    ]);
  });
});
