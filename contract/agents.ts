import { z } from 'zod';
import { command, granted, query } from './endpoint.ts';
import { id, optional, paged, pageOf, sorts, text } from './fields.ts';
import { createTime, day, MOST_AGENT_ID, seenVersion, share, userId, version } from './named-fields.ts';
import { ref } from './ref.ts';

export const heading = '代理';

const screen = '/main/bet/agent';

const ownId = id('代理编号');
const name = text('代理名称', { max: 50 });
const parentId = ref('agent', '上级代理');
const rate = share('返点比例');
const validFrom = day('生效日');

/** What an agent gets of the turnover of their players, from a platform day on until the next one. */
export const AgentRate = z.object({ rate, validFrom });
export type AgentRate = z.infer<typeof AgentRate>;

/**
 * An agent, whose players' turnover pays the account of `userId`. `rate` and `validFrom` are the latest that was said, which may be still to
 * come; `rates` are all of them, the latest first. Of two agents, one above the other, the upper one gets the difference.
 */
export const Agent = z.object({
  id: ownId,
  version,
  name,
  parentId: parentId.nullable(),
  userId,
  rate,
  validFrom,
  rates: z.array(AgentRate).meta({ title: '历次返点比例' }),
  createTime,
});
export type Agent = z.infer<typeof Agent>;

export const pageAgents = query('POST /agent/page', {
  summary: '分页查询代理',
  body: 'form',
  input: paged({ id: ownId, name, parentId, userId, sort: sorts('id', 'name', 'createTime') }),
  output: pageOf(Agent),
  access: granted(screen),
});

const fields = { name, parentId: optional(parentId), userId, rate, validFrom };

/** `id` is the number by which the players' site knows the agent; without one it is a free one that no player refers to. */
export const addAgent = command('POST /agent/add', {
  summary: '新增代理',
  effect: 'add',
  body: 'json',
  input: z.object({ id: optional(id('代理编号', { max: MOST_AGENT_ID })), ...fields }),
  output: ownId,
  access: granted(screen, 'bet:agent:edit'),
  imports: true,
});

/** The rate holds from `validFrom` on; those of other days stay. No day whose rebates were released can have another one. */
export const updateAgent = command('POST /agent/update', {
  summary: '编辑代理',
  effect: 'update',
  body: 'json',
  input: z.object({ id: ownId, version: seenVersion, ...fields }),
  output: ownId,
  access: granted(screen, 'bet:agent:edit'),
  edits: Agent,
});
