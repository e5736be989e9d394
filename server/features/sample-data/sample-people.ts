import type { Dice } from './dice.ts';

/** A made-up player. `inviter` is the place in the list of who invited them. */
export interface SamplePerson {
  username: string;
  realName: string;
  nickName: string;
  phone: string;
  email: string;
  level: number;
  inviter: number | null;
  agentId: number | null;
  joined: Date;
  /** How often they play, from 0 (hardly) to 1. */
  zeal: number;
}

const surnames = [
  '王',
  '李',
  '张',
  '刘',
  '陈',
  '杨',
  '赵',
  '黄',
  '周',
  '吴',
  '徐',
  '孙',
  '胡',
  '朱',
  '高',
  '林',
] as const;
const givenNames = [
  '伟',
  '芳',
  '娜',
  '敏',
  '静',
  '磊',
  '军',
  '洋',
  '艳',
  '勇',
  '杰',
  '涛',
  '明',
  '超',
  '秀英',
  '建国',
  '海燕',
  '志强',
  '晓东',
  '雪梅',
] as const;
const nickHeads = [
  '快乐',
  '幸运',
  '东方',
  '金色',
  '小小',
  '老',
  '飞翔的',
  '安静的',
  '江南',
  '北国',
  '追风',
  '知足',
] as const;
const nickTails = [
  '锦鲤',
  '小王子',
  '渔夫',
  '老虎',
  '木棉',
  '行者',
  '麻雀',
  '阿福',
  '柠檬',
  '星辰',
  '橘猫',
  '掌柜',
] as const;
const prefixes = ['138', '139', '150', '158', '177', '186', '188', '199'] as const;
const syllables = [
  'lin',
  'hao',
  'xin',
  'yu',
  'jia',
  'mei',
  'long',
  'feng',
  'bo',
  'tian',
  'an',
  'qi',
] as const;

/** The place of the agent above each of the agents, who are the first of the people; null above whom nobody is. */
export const AGENTS_ABOVE: readonly (number | null)[] = [null, null, 0, 0, 0, 1, 1, 2];
const AGENTS = AGENTS_ABOVE.length;
const DAY_MS = 86_400_000;

/** People who joined over the two months before `now`, in the order they joined. The first few are agents. */
export function samplePeople(dice: Dice, now: Date, count: number): SamplePerson[] {
  const joinedDaysAgo = Array.from({ length: count }, () => 3 + dice.roll() ** 1.5 * 57).sort(
    (a, b) => b - a,
  );
  return joinedDaysAgo.map((days, place) => {
    const name = `${dice.pick(syllables)}${dice.pick(syllables)}${1000 + place * 7 + dice.between(0, 6)}`;
    const inviter = place >= AGENTS && dice.chance(0.6) ? dice.between(0, place - 1) : null;
    return {
      username: name,
      realName: dice.pick(surnames) + dice.pick(givenNames),
      nickName: dice.pick(nickHeads) + dice.pick(nickTails),
      phone: dice.pick(prefixes) + String(dice.between(0, 99_999_999)).padStart(8, '0'),
      email: `${name}@example.com`,
      level: Math.floor(dice.roll() ** 2 * 6),
      inviter,
      agentId: place >= AGENTS && dice.chance(0.7) ? dice.between(0, AGENTS - 1) : null,
      joined: new Date(now.getTime() - days * DAY_MS),
      zeal: dice.roll() ** 2,
    };
  });
}
