import { setTimeout as sleep } from 'node:timers/promises';
import { type Context, handlers, ownTransactions } from '#server/http/handler.ts';
import { Refusal } from '#server/refusal.ts';
import { findOperatorByName, type OperatorSecrets, takeStep } from '../operators/operator-store.ts';
import { lacksSecondFactor } from '../params-settings/second-factor.ts';
import { sampleAccount } from '../sample-account.ts';
import { acceptedStep, rememberStep } from './one-time-code.ts';
import { passwordMatches } from './password.ts';
import * as throttle from './throttle-store.ts';
import * as tokens from './token-store.ts';

/** Whether the one-time code is right; the step it belongs to is taken with it. */
async function codeAccepted(
  context: Context,
  operator: OperatorSecrets,
  code: string | undefined,
): Promise<boolean> {
  if (!operator.googleSecret) return true;
  const secret = context.vault.open(operator.googleSecret, `operator:${operator.id}:googleSecret`);
  const step = acceptedStep(secret, code ?? '', context.now, operator.googleSteps);
  if (step === undefined) return false;
  await takeStep(context.db, operator.id, rememberStep(operator.googleSteps, step));
  return true;
}

interface Credentials {
  username: string;
  password: string;
  googleCode?: string | undefined;
}

/** One attempt, inside the account's line: tokens, or what it is refused with. */
async function attempt(context: Context, { username, password, googleCode }: Credentials) {
  const { db, address } = context;
  const account = username.toLowerCase();
  await throttle.lockAccount(db, account);
  const seconds = await throttle.secondsClosed(db, account);
  if (seconds > 0) return new Refusal('loginLocked', { values: { seconds }, retryAfter: seconds });
  const operator = await findOperatorByName(db, username);
  const rightPassword = await passwordMatches(operator?.passwordHash, password);
  if (operator && rightPassword && (await codeAccepted(context, operator, googleCode))) {
    if (await lacksSecondFactor(db, operator.id)) return new Refusal('secondFactorMissing');
    await throttle.forgetFailures(db, account);
    return tokens.openSession(db, operator.id, address);
  }
  await throttle.recordFailure(db, account, address);
  return new Refusal('loginRejected');
}

export const signInHandlers = handlers({
  // A refused sign-in must leave its trace, so its transaction commits either way.
  login: ownTransactions(async (context, credentials) => {
    context.remark({ targetId: credentials.username });
    const delay = throttle.delayMs(await throttle.addressFailures(context.db, context.address));
    if (delay > 0) await sleep(delay);
    const outcome = await context.db.transaction().execute((db) => attempt({ ...context, db }, credentials));
    if (outcome instanceof Refusal) throw outcome;
    context.say('登录成功');
    return outcome;
  }),

  refreshToken: ownTransactions(async (context, { refresh_token }) => {
    const outcome = await context.db.transaction().execute(async (tx) => {
      const result = await tokens.spendRefreshToken(tx, context.vault, refresh_token);
      if (result === 'reused') await context.accessChanged(tx);
      return result;
    });
    if (outcome === undefined || outcome === 'reused') throw new Refusal('unauthenticated');
    return outcome;
  }),

  logout: async (context) => {
    await context.accessChanged();
    await tokens.revokeSession(context.db, context.operator.sessionId);
    return true as const;
  },

  publicSettings: async ({ db, config }) => {
    const account = await sampleAccount(db, config);
    return account ? { sampleAccount: account } : {};
  },
});
