import { z } from 'zod';
import { command, query } from './endpoint.ts';
import { choice, flag, nothing, text } from './fields.ts';
import type { Language } from './language.ts';

/** What its calls stand under in the API document. */
export const heading = '控制台';

const reportDay = z.object({ today: text('今天'), dayStart: text('一天的开始时间') });

/** What the parameters say of the console's looks, and which day it is now as the report counts, whose days begin at `dayStart` (`HH:mm`). */
export const getConsoleSettings = query('GET /system/consoleSettings', {
  summary: '查询控制台设置',
  body: 'none',
  input: nothing,
  output: z.object({ watermark: flag('水印'), reportDay }),
  access: 'signed-in',
});

const languages: Readonly<Record<Language, string>> = { zh: '中文', en: 'English' };
/** What the console reads in. */
export const consoleLanguage = choice('界面语言', languages);

/** Keeps the language that the caller has chosen, for whatever browser they sign in with next. */
export const saveLanguage = command('POST /operator/preference/language', {
  summary: '设置界面语言',
  body: 'json',
  input: z.object({ language: consoleLanguage }),
  output: z.literal(true),
  access: 'signed-in',
});
