import { z } from 'zod';
import { granted, query } from './endpoint.ts';
import { gameId, phase } from './named-fields.ts';

/**
 * 单期风险. Declared so that calls can name who must not see it; whoever holds an expression that matches its path counts, though no call is
 * answered there yet.
 */
export const listExposure = query('POST /bet/exposure/list', {
  summary: '单期风险',
  body: 'form',
  input: z.object({ gameId, phase }),
  output: z.array(z.never()),
  access: granted('/main/bet/settlement'),
});
