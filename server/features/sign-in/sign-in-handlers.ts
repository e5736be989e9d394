import { handlers, ownTransactions } from '#server/http/handler.ts';
import { Refusal } from '#server/refusal.ts';
import { sampleAccount } from '../sample-account.ts';
import { signIn } from './sign-in.ts';
import * as tokens from './token-store.ts';

export const signInHandlers = handlers({
  // A refused sign-in must leave its trace, so its transaction commits either way; and it hashes outside of it.
  login: ownTransactions(
    async (context, credentials) => {
      const outcome = await signIn(context, credentials);
      if (outcome instanceof Refusal) throw outcome;
      return outcome;
    },
    { recorded: false },
  ),

  refreshToken: ownTransactions(
    async (context, { refresh_token }) => {
      const outcome = await context.db.transaction().execute(async (tx) => {
        const result = await tokens.spendRefreshToken(tx, context.vault, refresh_token);
        if (result && 'reused' in result) await context.accessChanged({ sessionIds: [result.reused] }, tx);
        return result;
      });
      if (outcome === undefined || 'reused' in outcome) throw new Refusal('unauthenticated');
      return outcome;
    },
    { recorded: false },
  ),

  logout: async (context) => {
    await context.accessChanged({ sessionIds: [context.operator.sessionId] });
    await tokens.revokeSession(context.db, context.operator.sessionId);
    return true as const;
  },

  publicSettings: async ({ db, config }) => {
    const account = await sampleAccount(db, config);
    return account ? { sampleAccount: account } : {};
  },
});
