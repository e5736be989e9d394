import { z } from 'zod';
import { granted, query } from './endpoint.ts';
import { by, dateTime, id, integer, paged, pageOf, range, sorts, text } from './fields.ts';
import { told } from './wording.ts';

/** What its calls stand under in the API document. */
export const heading = '封存锚点';

const code = text('短码', { max: 23 });

/** The heads of all that is sealed at one moment. `content` is what is kept elsewhere, and what `npm run prove` compares with. */
export const SealAnchor = z.object({
  id: id('锚点编号'),
  createTime: dateTime('取得时间'),
  code,
  rows: integer('已封存行数', { min: 0 }),
  mailTime: dateTime('排入邮件时间').nullable(),
  webhookTime: dateTime('网址发出时间').nullable(),
  problem: told(text('最近错误')).nullable(),
  content: text('锚点内容', { max: 10_000 }),
});
export type SealAnchor = z.infer<typeof SealAnchor>;

/** The newest first. */
export const pageAnchors = query('POST /system/anchor/page', {
  summary: '分页查询封存锚点',
  body: 'form',
  input: paged({ code: by('whole', code), createTimeRange: range('取得时间'), sort: sorts('createTime') }),
  output: pageOf(SealAnchor),
  access: granted('/main/system/anchor'),
});
