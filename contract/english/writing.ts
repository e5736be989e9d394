/** Whether a text has Chinese signs. */
export const isChinese = (text: string): boolean => /[\u2e80-\u9fff\u3000-\u303f\uff00-\uffef]/.test(text);

/** In English, a word that goes by how many a value is: `{0:row|rows}`. */
export const plural = /\{(\w+):([^|{}]*)\|([^|{}]*)\}/g;
