/** The languages of the console: simplified Chinese and English. */
export type Language = 'zh' | 'en';

/** The cookie by which a browser asks for a language's page. */
export const LANGUAGE_COOKIE = 'language';

/** The language that texts of contract and console stand in. The English console is built with this file saying otherwise: see `console/in-english.ts`. */
export const language: Language = 'zh';
