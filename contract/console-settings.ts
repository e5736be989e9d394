import { z } from 'zod';
import { query } from './endpoint.ts';
import { flag, nothing } from './fields.ts';

/** What its calls stand under in the API document. */
export const heading = '控制台';

/** What the parameters say of the console's looks. */
export const getConsoleSettings = query('GET /system/consoleSettings', {
  summary: '查询控制台设置',
  body: 'none',
  input: nothing,
  output: z.object({ watermark: flag('水印') }),
  access: 'signed-in',
});
