import { z } from 'zod';
import { command, granted, query } from './endpoint.ts';
import { dateTime, id, nothing, text } from './fields.ts';
import { ref } from './ref.ts';

/** What its calls stand under in the API document. */
export const heading = '角色试用';

/** How long a role is tried on before it is laid aside by itself. */
export const TRIAL_MINUTES = 15;

/** The role that is tried on in the caller's session. */
export const RoleTrial = z.object({
  roleId: ref('role', '角色'),
  role: text('角色名称', { max: 50 }),
  until: dateTime('试用至'),
});
export type RoleTrial = z.infer<typeof RoleTrial>;

/**
 * From now on the caller's session sees what its operator and a holder of this role both may see, and every command but laying the role
 * aside and signing out is refused; until `endRoleTrial`, or `TRIAL_MINUTES` later.
 */
export const tryRole = command('POST /pms/role/try', {
  summary: '试用角色',
  about: '角色',
  body: 'json',
  input: z.object({ id: id() }),
  output: RoleTrial,
  access: granted('/main/pms/role', 'pms:role:try'),
});

export const endRoleTrial = command('POST /pms/role/endTrial', {
  summary: '退出试用',
  about: '角色',
  body: 'json',
  input: nothing,
  output: z.literal(true),
  access: 'signed-in',
});

/** What is tried on; nothing where nothing is. */
export const getRoleTrial = query('GET /pms/role/trial', {
  summary: '查询正在试用的角色',
  body: 'none',
  input: nothing,
  output: RoleTrial.nullable(),
  access: 'signed-in',
});
