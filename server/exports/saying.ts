import { toldInEnglish } from '#contract/english/told.ts';
import type { Language } from '#contract/language.ts';

/** Puts labels and words of ours into a language; `file` as in `told` of the contract. */
export type Say = (text: string, file?: string) => string;

/** How files say it in a language. */
export const sayingIn = (language: Language): Say => (language === 'en' ? toldInEnglish : (text) => text);
