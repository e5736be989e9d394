import { sql } from 'kysely';
import type { Db } from '#server/db/database.ts';
import type { GrantingMenu } from './rights.ts';
import { type Grants, type SignedIn, signedIn } from './signed-in.ts';

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

/** An operator in no session, with the menus of their roles. */
export interface Granted {
  readonly operator: SignedIn;
  readonly disabled: boolean;
  readonly menus: readonly GrantingMenu[];
}

interface OperatorRow {
  id: number;
  userName: string;
  sessionId: string;
  passwordTemporary: boolean;
  hasGoogleKey: boolean;
  menus: { id: number; urlExpression: string | null }[];
  trial: Grants['trial'];
}

/** Every operator, or the one asked for, with what they may do now; those who are disabled, with what they may do once they are not. */
export async function listGranted(db: Db, only?: number): Promise<Granted[]> {
  const { rows } = await sql<Omit<OperatorRow, 'trial'> & { disabled: boolean }>`
    select o.id, o.disabled, o."userName", '' as "sessionId", o."passwordTemporary", o."googleSecret" is not null as "hasGoogleKey",
      ${menusOfOperator} as menus
    from operator o where ${only === undefined ? sql`true` : sql`o.id = ${only}`} order by o.id`.execute(db);
  return rows.map(({ disabled, ...row }) => ({
    disabled,
    operator: signedIn(row),
    menus: row.menus,
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
