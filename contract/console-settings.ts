import { z } from 'zod';
import { query } from './endpoint.ts';
import { flag, nothing, text } from './fields.ts';

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
