import { noteStepUp } from '#server/access/step-up-store.ts';
import { handlers, prepared } from '#server/http/handler.ts';
import { Refusal } from '#server/refusal.ts';
import { judgeCode, provenCode, type TakeCode } from '../sign-in/codes.ts';
import { beginKey, findBegunKey, replaceGoogleKey } from '../sign-in/google-key-store.ts';
import { acceptedStep, drawnKey } from '../sign-in/one-time-code.ts';
import { findOperatorSecrets } from '../sign-in/operator-secrets.ts';
import { recoveryCodesLeft, replaceRecoveryCodes } from '../sign-in/recovery-codes.ts';
import { revokeSessions } from '../sign-in/token-store.ts';
import { demandOwnPassword } from './own-password.ts';

const nothingToTake: TakeCode = async () => undefined;

export const googleKeysHandlers = handlers({
  getOwnGoogleKey: async ({ db, operator: { id } }) => ({
    bound: Boolean((await findOperatorSecrets(db, id))?.googleSecret),
    recoveryCodesLeft: await recoveryCodesLeft(db, id),
  }),

  beginGoogleKey: prepared(async (context, { password, code = '' }) => {
    const { db, operator } = context;
    await demandOwnPassword(context, password);
    const isBound = (await findOperatorSecrets(db, operator.id))?.googleSecret;
    const take = isBound ? await provenCode(context, 'code', code, { recovery: true }) : nothingToTake;
    const key = await drawnKey(operator.userName);
    return async (inside) => {
      await take(inside);
      await beginKey(inside, operator.id, key.secret);
      inside.say('请用谷歌验证器扫描，再输入第一个验证码');
      return key;
    };
  }),

  confirmGoogleKey: prepared(async (context, { googleCode }) => {
    const { id, sessionId } = context.operator;
    const secret = await findBegunKey(context, id);
    if (secret === undefined) throw new Refusal('googleKeyNotBegun');
    const step = acceptedStep(secret, googleCode, context.now, []);
    await judgeCode(context, 'googleCode', step !== undefined);
    return async (inside) => {
      await inside.accessChanged({ operatorIds: [id] });
      // Whoever began anew meanwhile, or had the key reset, must confirm that one.
      if (step === undefined || (await findBegunKey(inside, id)) !== secret)
        throw new Refusal('googleKeyNotBegun');
      await replaceGoogleKey(inside, id, secret, [step]);
      await revokeSessions(inside.db, id, sessionId);
      await noteStepUp(inside.db, sessionId);
      inside.say('谷歌验证已绑定');
      return { codes: await replaceRecoveryCodes(inside.db, id) };
    };
  }),

  confirmStepUp: prepared(async (context, { googleCode }) => {
    const take = await provenCode(context, 'googleCode', googleCode);
    return async (inside) => {
      await take(inside);
      await noteStepUp(inside.db, inside.operator.sessionId);
      inside.say('验证通过');
      return true as const;
    };
  }),

  renewRecoveryCodes: prepared(async (context, { password, googleCode }) => {
    await demandOwnPassword(context, password);
    const take = await provenCode(context, 'googleCode', googleCode);
    return async (inside) => {
      await take(inside);
      return { codes: await replaceRecoveryCodes(inside.db, inside.operator.id) };
    };
  }),
});
