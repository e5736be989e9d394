import { setTimeout as sleep } from 'node:timers/promises';
import type { Input } from '#contract/endpoint.ts';
import type { login, SignedIn } from '#contract/sign-in.ts';
import { noteStepUp } from '#server/access/step-up-store.ts';
import type { Db } from '#server/db/database.ts';
import type { Context } from '#server/http/handler.ts';
import { originOf } from '#server/origin.ts';
import { Refusal } from '#server/refusal.ts';
import { findLanguage } from '../console-settings/language-store.ts';
import { recordLockedOut, recordLogin } from '../login-records/login-record-store.ts';
import { tellNewAddress } from '../sign-in-notices/tell-new-address.ts';
import { takeCode } from './codes.ts';
import { googleKey } from './google-key-store.ts';
import {
  findOperatorByName,
  holdOperatorByName,
  noteLogin,
  type OperatorSecrets,
} from './operator-secrets.ts';
import { amongHashers } from './password.ts';
import { recoveryCodesLeft } from './recovery-codes.ts';
import { lacksSecondFactor } from './second-factor.ts';
import * as throttle from './throttle-store.ts';
import * as tokens from './token-store.ts';
import { foldedName } from './user-name.ts';

type Credentials = Input<typeof login>;

/** One try to sign in: what throttles it, and what was found out about it before its transaction. */
interface Try {
  credentials: Credentials;
  account: string;
  origin: string;
  /** Whether it has had its turn in the line of a slowed address. */
  inLine: boolean;
  /** The hash that the password was found to be of; nothing when it is wrong. */
  provenHash: string | undefined;
  /** The code that was used up for it. */
  code?: Proven;
}

type Proven = Awaited<ReturnType<typeof takeCode>>;

const lockedOut = (seconds: number) =>
  new Refusal('loginLocked', { values: { seconds }, retryAfter: seconds });

/** Waits for a turn when the address is slowed. Throws `loginLocked` when too many wait already. */
async function waitInLine(db: Db, origin: string): Promise<boolean> {
  if (!(await throttle.isSlowed(db, origin))) return false;
  const turn = await throttle.takeTurn(db, origin);
  if (!turn) return false;
  if (turn.tooLong) throw lockedOut(Math.ceil(turn.waitMs / 1_000));
  await sleep(turn.waitMs);
  return true;
}

/** The account is closed: said in the log, under one name however it was written, and given as the refusal. */
async function lockedAccount({ db, address, agent }: Context, { username }: Credentials, seconds: number) {
  const refusal = lockedOut(seconds);
  const { id: operatorId, userName } = (await findOperatorByName(db, username)) ?? {
    id: null,
    userName: foldedName(username),
  };
  await recordLockedOut(db, { operatorId, userName, address, agent, msg: refusal.message });
  return refusal;
}

/** Why an operator whose password and code are right is kept out all the same. */
async function reasonToHold(
  db: Db,
  operator: OperatorSecrets,
  key: ReturnType<typeof googleKey>,
): Promise<Refusal | undefined> {
  if (operator.disabled) return new Refusal('operatorDisabled');
  if (key === 'unreadable') return new Refusal('googleKeyUnreadable');
  return (await lacksSecondFactor(db, operator.id)) ? new Refusal('secondFactorMissing') : undefined;
}

/** What an operator would be refused with whose name, password and code are right; nothing when they would be let in. */
export async function barriersOf(context: Context, userName: string): Promise<Refusal[]> {
  const { db } = context;
  const seconds = await throttle.secondsClosed(db, 'account', foldedName(userName));
  const operator = await findOperatorByName(db, userName);
  const held = operator && (await reasonToHold(db, operator, googleKey(context, operator)));
  return [...(seconds > 0 ? [lockedOut(seconds)] : []), ...(held ? [held] : [])];
}

/** What is said of a sign-in: one with a recovery code is told apart, since it may not have been its operator's. */
async function welcome(db: Db, operatorId: number, code: Proven): Promise<string> {
  if (code !== 'recovery') return '登录成功';
  return `登录成功，使用了一个恢复码，还剩 ${await recoveryCodesLeft(db, operatorId)} 个`;
}

/** All was right: tokens, unless there is a reason to hold the operator. The log says how it ended. */
async function admit(context: Context, tried: Try, operator: OperatorSecrets, held: Refusal | undefined) {
  const { db, address, agent } = context;
  if (tried.inLine) await throttle.giveBackTry(db, tried.origin);
  const login = { operatorId: operator.id, userName: operator.userName, address, agent };
  if (held) {
    await recordLogin(db, { ...login, outcome: 'HELD', msg: held.message });
    return held;
  }
  await throttle.forgetFailures(db, 'account', tried.account);
  const msg = await welcome(db, operator.id, tried.code);
  context.say(msg);
  const isNew = await tellNewAddress(context, operator);
  await recordLogin(db, { ...login, outcome: 'SUCCESS', msg: isNew ? `${msg}（新地址）` : msg });
  await noteLogin(db, operator.id, address);
  const token = await tokens.openSession(db, operator.id, { address, agent });
  if (tried.code === 'google') await noteStepUp(db, token.jti);
  const language = await findLanguage(db, operator.id);
  return { ...token, userName: operator.userName, ...(language && { language }) };
}

/** Something was wrong: counted, and said in the log. */
async function reject({ db, address, agent }: Context, tried: Try, operator: OperatorSecrets | undefined) {
  const closed = await throttle.recordFailure(db, 'account', tried.account, address);
  if (!tried.inLine) await throttle.recordAddressFailure(db, tried.origin);
  const refusal = new Refusal('loginRejected');
  await recordLogin(db, {
    operatorId: operator?.id ?? null,
    userName: operator?.userName ?? tried.credentials.username,
    address,
    agent,
    outcome: 'REJECTED',
    msg: closed > 0 ? `${refusal.message}，账号锁定 ${closed} 秒` : refusal.message,
  });
  return refusal;
}

/** Tokens, or what the try is refused with. */
async function judge(context: Context, tried: Try): Promise<SignedIn | Refusal> {
  const { credentials, provenHash } = tried;
  // Whoever gives the operator another password, or disables them, and ends their sessions comes before, or ends this one too.
  const find = provenHash === undefined ? findOperatorByName : holdOperatorByName;
  const operator = await find(context.db, credentials.username);
  // A password changed since it was looked at is no longer right.
  if (!operator || provenHash === undefined || operator.passwordHash !== provenHash)
    return reject(context, tried, operator);
  const key = googleKey(context, operator);
  const held = await reasonToHold(context.db, operator, key);
  if (typeof key !== 'object') return admit(context, tried, operator, held);
  const code = await takeCode(context, operator.id, key.secret, credentials.googleCode ?? '');
  if (!code) return reject(context, tried, operator);
  return admit(context, { ...tried, code }, operator, held);
}

/**
 * The end of a try, with nothing slow in it: inside the line of its address and of its account, so that parallel tries are
 * counted one by one. `slowed` when the address has failed too often meanwhile: the try must wait for its turn and come back.
 */
async function settle(context: Context, tried: Try): Promise<SignedIn | Refusal | 'slowed'> {
  const { db } = context;
  await throttle.lock(db, 'address', tried.origin);
  if (!tried.inLine && (await throttle.isSlowed(db, tried.origin))) return 'slowed';
  await throttle.lock(db, 'account', tried.account);
  const seconds = await throttle.secondsClosed(db, 'account', tried.account);
  if (seconds === 0) return judge(context, tried);
  if (tried.inLine) await throttle.giveBackTry(db, tried.origin);
  return lockedAccount(context, tried.credentials, seconds);
}

/** One try, from its address: refused for good reason (a refusal commits its traces and is thrown by the caller), or tokens. */
export function signIn(context: Context, credentials: Credentials): Promise<SignedIn | Refusal> {
  const { db, address } = context;
  return amongHashers(address, async (hashing) => {
    const account = foldedName(credentials.username);
    const origin = originOf(address);
    const seconds = await throttle.secondsClosed(db, 'account', account);
    if (seconds > 0) return lockedAccount(context, credentials, seconds);
    let inLine = await waitInLine(db, origin);
    const hash = (await findOperatorByName(db, credentials.username))?.passwordHash;
    const provenHash = (await hashing.matches(hash, credentials.password)) ? hash : undefined;
    for (;;) {
      const tried = { credentials, account, origin, inLine, provenHash };
      const outcome = await db.transaction().execute((tx) => settle({ ...context, db: tx }, tried));
      if (outcome !== 'slowed') return outcome;
      inLine = await waitInLine(db, origin);
    }
  });
}
