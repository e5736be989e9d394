import { z } from 'zod';

/** What an operator asks of a running session. Holds codes and passwords: to be sealed before it leaves the process. */
export const ChatAction = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('activate') }),
  z.object({ kind: z.literal('phone'), phone: z.string() }),
  z.object({ kind: z.literal('code'), code: z.string() }),
  z.object({ kind: z.literal('password'), password: z.string() }),
  z.object({ kind: z.literal('resend') }),
  z.object({ kind: z.literal('logout') }),
  z.object({ kind: z.literal('end') }),
]);
export type ChatAction = z.output<typeof ChatAction>;

/** How it went: what to say beside the usual sentence, or why it was refused. */
export const ChatOutcome = z.union([
  z.object({ done: z.literal(true), say: z.string().nullable() }),
  z.object({
    done: z.literal(false),
    message: z.string(),
    field: z.string().nullable(),
  }),
]);
export type ChatOutcome = z.output<typeof ChatOutcome>;
