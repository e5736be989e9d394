import { tellingLength } from '#contract/fields.ts';

/* What guessers try first, told by rule where there is one, and the words that are left. */

const words = new Set(
  `password passwd passwort pass admin administrator root user guest test tester demo sample login welcome master manager
  operator system server letmein iloveyou love princess monkey dragon sunshine shadow superman batman football baseball
  basketball soccer hockey michael jordan jennifer charlie daniel thomas andrew jessica ashley freedom whatever trustno secret
  computer internet google facebook starwars pokemon hello killer access flower cheese summer winter spring autumn january
  lottery casino poker jackpot lucky betting money china beijing shanghai changeme default qwerty asdfgh zxcvbn
  woaini woaiwo nihao aini wodemima mima mimashi wangyi taobao weixin caipiao zhongguo laopo laogong baobao
  tiantian xiaoxiao haoren guanliyuan caozuoyuan houtai a aa aaa abc qq qaz zxc asd qwe wsx`.split(/\s+/),
);

const digits = '0123456789';
const rows = [
  digits + digits,
  'abcdefghijklmnopqrstuvwxyz',
  'qwertyuiopasdfghjklzxcvbnm',
  'qazwsxedcrfvtgbyhnujmikolp',
  '1qaz2wsx3edc4rfv5tgb6yhn7ujm8ik9ol0p',
  '1q2w3e4r5t6y7u8i9o0p',
  'q1w2e3r4t5y6u7i8o9p0',
  '!@#$%^&*()_+',
];
const walks = [...rows, ...rows.map((row) => [...row].reverse().join(''))];

const SHORTEST_WALK = 3;
/** Up to here figures and signs around a word are trimmings: a year, a date, some exclamation marks. */
const LONGEST_TRIMMING = 9;

const looksLike: Readonly<Record<string, string>> = {
  '@': 'a',
  '4': 'a',
  '3': 'e',
  '1': 'i',
  '!': 'i',
  '0': 'o',
  $: 's',
  '5': 's',
  '7': 't',
};
const spelled = (text: string): string => text.replace(/[@431!0$57]/g, (sign) => looksLike[sign] ?? sign);

const isWalk = (text: string): boolean =>
  text.length >= SHORTEST_WALK && walks.some((walk) => walk.includes(text));
/** One to four characters over and over, or a walk there and one more. */
const isRepetition = (text: string): boolean => /^(.{1,4}?)\1+$/u.test(text) || /^(.)\1{3,}.$/u.test(text);
const isDateOrPhone = (text: string): boolean => /^(19|20)\d{6}$|^1[3-9]\d{9}$|^(\d{4}){2}$/.test(text);

/** Whether a text falls apart into walks and repetitions, as in `abc12345` or `1234abcd`. */
function fallsApart(text: string): boolean {
  if (isWalk(text) || isRepetition(text)) return true;
  return Array.from(text, (_, at) => at)
    .filter((at) => at >= SHORTEST_WALK)
    .some((at) => isWalk(text.slice(0, at)) && (isWalk(text.slice(at)) || isRepetition(text.slice(at))));
}

/** Whether a word of the list is all there is, but for trimmings at its ends. */
function isTrimmedWord(text: string): boolean {
  const bare = text.replace(/^[^a-z]+|[^a-z]+$/g, '');
  const candidates = [bare, spelled(text).replace(/[^a-z]+$/, ''), spelled(bare)];
  return candidates.some(
    (word) => words.has(word.replace(/[^a-z]/g, '')) && text.length - word.length <= LONGEST_TRIMMING,
  );
}

/** Whether a password is among those that are tried first. */
export function isCommonPassword(password: string): boolean {
  const text = password.normalize('NFKC').toLowerCase().replace(/\s+/g, '');
  // Blanks are what is left where somebody leans on a key.
  if (tellingLength(text) === 0) return true;
  return fallsApart(text) || isDateOrPhone(text) || isTrimmedWord(text);
}
