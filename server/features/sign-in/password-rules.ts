import { Refusal } from '#server/refusal.ts';
import { isCommonPassword } from './common-passwords.ts';
import { foldedName } from './user-name.ts';

/** A shorter name is a part of many a word. */
const SHORTEST_NAME = 3;

function holdsName(password: string, userName: string): boolean {
  const [text, name] = [foldedName(password), foldedName(userName)];
  return text.replaceAll(name, '') === '' || (name.length >= SHORTEST_NAME && text.includes(name));
}

/** Throws at the field when a new password is one that others try first: a common one, or one made of the name. */
export function demandAcceptablePassword(password: string, userName: string, field: string): void {
  if (isCommonPassword(password)) throw new Refusal('passwordCommon', { field });
  if (holdsName(password, userName)) throw new Refusal('passwordHoldsName', { field });
}
