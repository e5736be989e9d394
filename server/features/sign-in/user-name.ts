import { noOperators } from '#contract/no-operators.ts';
import { wrong } from '#server/refusal.ts';

const normal = (name: string): string => name.normalize('NFKC');

/** A name as it is compared: in one way of writing and in small letters. Whatever is counted by name is counted by this. */
export const foldedName = (name: string): string => normal(name).toLowerCase();

// Letters of other scripts, accents, invisible marks and Han strokes that pass for a letter or a sign make one name look like another.
const allowed = /^[\p{Script=Han}A-Za-z0-9_.@-]+$/u;
const strokes = /[〇丨丶丿乀乁乚亅]/;
const dashes = /[A-Za-z0-9_.@-][一]|[一][A-Za-z0-9_.@-]/;

/** A new name in the way it is kept. Throws `invalid` at the name when it could be taken for another. */
export function acceptableName(name: string): string {
  const kept = normal(name);
  if (!allowed.test(kept)) throw wrong('userName', '用户名只能使用汉字、英文字母、数字与 _ . @ -');
  if (strokes.test(kept) || dashes.test(kept))
    throw wrong('userName', '用户名含有容易与字母或符号混淆的汉字');
  if (Object.values<string>(noOperators).includes(kept))
    throw wrong('userName', '用户名不能与操作日志中的“平台接口”“服务器命令”相同');
  return kept;
}
