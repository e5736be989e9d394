import { sql } from 'kysely';
import type { Db } from '#server/db/database.ts';
import { paramValue } from '#server/params/read-param.ts';
import { type Grants, type SignedIn, signedIn } from './signed-in.ts';

/** A live access token, as read in one snapshot together with the epoch it was true in. */
export interface LiveToken {
  epoch: number;
  expiresAt: Date;
  /** From when on it is to be read again though nothing was changed: a role tried on is laid aside by itself. */
  staleAt: Date;
  operator: SignedIn;
}

/** What the roles of the operator `o` open. */
const menusOfOperator = sql<{ id: number; urlExpression: string | null }[]>`
  coalesce((
    select jsonb_agg(distinct jsonb_build_object('id', m.id, 'urlExpression', m."urlExpression"))
    from operator_role r join role_menu g on g."roleId" = r."roleId" join menu m on m.id = g."menuId"
    where r."operatorId" = o.id), '[]')`;

/** The role that is tried on in the session `s`, while it is. */
const trialOfSession = sql<Grants['trial']>`(
  select jsonb_build_object('roleId', r.id, 'role', r."desc", 'until', left(s."trialUntil"::text, 19), 'menus', coalesce((
      select jsonb_agg(jsonb_build_object('id', m.id, 'urlExpression', m."urlExpression"))
      from role_menu g join menu m on m.id = g."menuId" where g."roleId" = r.id), '[]'))
  from role r where r.id = s."trialRoleId" and s."trialUntil" > now())`;

interface TokenRow {
  key: string;
  epoch: number;
  expires: number;
  stale: number;
  trial: Grants['trial'];
  operatorId: number;
  userName: string;
  sessionId: string;
  passwordTemporary: boolean;
  hasGoogleKey: boolean;
  menus: { id: number; urlExpression: string | null }[];
}

/**
 * Who access tokens belong to and what they hold, by their SHA-256 in base64; without those that are unknown, expired or revoked. One
 * statement for many, since all who were connected to a server that stops come to another in one moment.
 */
export async function findLiveTokens(
  db: Db,
  keys: readonly string[],
): Promise<ReadonlyMap<string, LiveToken>> {
  const { rows } = await sql<TokenRow>`
    select k.key, e.epoch, extract(epoch from t."expireTime")::float8 as expires, o.id as "operatorId", o."userName", s.id as "sessionId",
      extract(epoch from case when s."trialUntil" > now() then least(s."trialUntil", t."expireTime") else t."expireTime" end)::float8 as stale,
      o."passwordTemporary", o."googleSecret" is not null as "hasGoogleKey",
      ${menusOfOperator} as menus, ${trialOfSession} as trial
    from access_epoch e, unnest(${keys}::text[]) k (key)
      join access_token t on t.hash = decode(k.key, 'base64') and t."expireTime" > now()
      join session s on s.id = t."sessionId" and s."revokeTime" is null
      join operator o on o.id = s."operatorId" and not o.disabled`.execute(db);
  return new Map(
    rows.map(({ key, epoch, expires, stale, operatorId, ...rest }) => [
      key,
      {
        ...{ epoch, expiresAt: new Date(expires * 1000), staleAt: new Date(stale * 1000) },
        operator: signedIn({ id: operatorId, ...rest }),
      },
    ]),
  );
}

/** An operator in no session, with the expressions of what their roles open. */
export interface Granted {
  readonly operator: SignedIn;
  readonly disabled: boolean;
  readonly expressions: readonly (string | null)[];
}

/** Of an operator without the session. */
type OperatorRow = Omit<TokenRow, 'key' | 'epoch' | 'expires' | 'stale' | 'operatorId'> & { id: number };

/** Every operator, with what they may do now; those who are disabled, with what they may do once they are not. */
export async function listGranted(db: Db): Promise<Granted[]> {
  const { rows } = await sql<Omit<OperatorRow, 'trial'> & { disabled: boolean }>`
    select o.id, o.disabled, o."userName", '' as "sessionId", o."passwordTemporary", o."googleSecret" is not null as "hasGoogleKey",
      ${menusOfOperator} as menus
    from operator o order by o.id`.execute(db);
  return rows.map(({ disabled, ...row }) => ({
    disabled,
    operator: signedIn(row),
    expressions: row.menus.map((menu) => menu.urlExpression),
  }));
}

/** Who a session belongs to and what they hold now; nothing when it was ended, or its operator disabled or deleted. */
export async function findLiveSession(db: Db, sessionId: string): Promise<SignedIn | undefined> {
  const { rows } = await sql<OperatorRow>`
    select o.id, o."userName", s.id as "sessionId", o."passwordTemporary", o."googleSecret" is not null as "hasGoogleKey",
      ${menusOfOperator} as menus, ${trialOfSession} as trial
    from session s join operator o on o.id = s."operatorId" and not o.disabled
    where s.id = ${sessionId} and s."revokeTime" is null`.execute(db);
  return rows[0] && signedIn(rows[0]);
}

/** What every server looks at, twice a second: whether access has changed, and whether calls wait for a second operator. */
export async function readStanding(db: Db): Promise<{ epoch: number; approvals: boolean }> {
  const { epoch, approvals } = await db
    .selectFrom('access_epoch')
    .leftJoin('param_setting as p', (join) => join.on('p.key', '=', 'approval.enabled'))
    .select(['epoch', 'p.value as approvals'])
    .executeTakeFirstOrThrow();
  return { epoch, approvals: paramValue('approval.enabled', approvals) };
}

/** Puts changes of access in line behind one another and tells every server to forget what it remembers. */
export async function bumpEpoch(db: Db): Promise<void> {
  await db
    .updateTable('access_epoch')
    .set((eb) => ({ epoch: eb('epoch', '+', 1) }))
    .execute();
}

/** The ids of the menus an operator holds through their roles. */
export async function menuIdsOfOperator(db: Db, operatorId: number): Promise<number[]> {
  const rows = await db
    .selectFrom('operator_role as r')
    .innerJoin('role_menu as g', 'g.roleId', 'r.roleId')
    .select('g.menuId')
    .distinct()
    .where('r.operatorId', '=', operatorId)
    .execute();
  return rows.map((row) => row.menuId);
}

/** The ids of the menus these roles bundle. */
export async function menuIdsOfRoles(db: Db, roleIds: readonly number[]): Promise<number[]> {
  if (roleIds.length === 0) return [];
  const rows = await db
    .selectFrom('role_menu')
    .select('menuId')
    .distinct()
    .where('roleId', 'in', roleIds)
    .execute();
  return rows.map((row) => row.menuId);
}

/** The operators that hold every menu there is and can sign in. */
export async function operatorsHoldingAll(db: Db): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select o.id from operator o
    where not o.disabled and not exists (
      select from menu m where not exists (
        select from operator_role r join role_menu g on g."roleId" = r."roleId"
        where r."operatorId" = o.id and g."menuId" = m.id))`.execute(db);
  return rows.map((row) => row.id);
}
