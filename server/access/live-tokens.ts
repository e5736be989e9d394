import { sql } from 'kysely';
import type { Db } from '#server/db/database.ts';
import type { RoleRights } from './role-rights.ts';
import { type RoleTrial, type SignedIn, signedInAs } from './signed-in.ts';

/** A live access token. */
export interface LiveToken {
  readonly expiresAt: Date;
  /** From when on it is to be read again though nothing was changed: a role tried on is laid aside by itself. */
  readonly staleAt: Date;
  readonly operator: SignedIn;
  /** All whose menus have a say in what it lets do. */
  readonly roleIds: readonly number[];
}

interface TokenRow {
  key: string;
  expires: number;
  stale: number;
  operatorId: number;
  userName: string;
  sessionId: string;
  passwordTemporary: boolean;
  hasGoogleKey: boolean;
  roleIds: number[];
  trial: RoleTrial | null;
}

const readTokens = async (db: Db, keys: readonly string[]): Promise<TokenRow[]> => {
  const { rows } = await sql<TokenRow>`
    select k.key, extract(epoch from t."expireTime")::float8 as expires, o.id as "operatorId", o."userName", s.id as "sessionId",
      extract(epoch from case when r.id is null then t."expireTime" else least(s."trialUntil", t."expireTime") end)::float8 as stale,
      o."passwordTemporary", o."googleSecret" is not null as "hasGoogleKey",
      array(select h."roleId" from operator_role h where h."operatorId" = o.id order by 1) as "roleIds",
      case when r.id is not null then jsonb_build_object('roleId', r.id, 'role', r."desc", 'until', left(s."trialUntil"::text, 19)) end as trial
    from unnest(${keys}::text[]) k (key)
      join access_token t on t.hash = decode(k.key, 'base64') and t."expireTime" > now()
      join session s on s.id = t."sessionId" and s."revokeTime" is null
      join operator o on o.id = s."operatorId" and not o.disabled
      left join role r on r.id = s."trialRoleId" and s."trialUntil" > now()`.execute(db);
  return rows;
};

/**
 * Who access tokens belong to and what they hold, by their SHA-256 in base64; without those that are unknown, expired or revoked. One
 * statement for many, since all who were connected to a server that stops come to another in one moment.
 */
export async function findLiveTokens(
  db: Db,
  keys: readonly string[],
  rights: RoleRights,
): Promise<ReadonlyMap<string, LiveToken>> {
  const rows = await readTokens(db, keys);
  const tried = rows.map(({ trial }) => (trial ? [trial.roleId] : []));
  const opened = await rights.ofEach([...rows.map(({ roleIds }) => roleIds), ...tried]);
  const found = rows.map(({ key, expires, stale, operatorId, roleIds, trial, ...who }, place) => {
    const [own, other] = [opened[place], opened[rows.length + place]];
    if (!own || !other) throw new Error('a set of roles was left out');
    const operator = signedInAs({ id: operatorId, ...who }, own, trial && { ...trial, rights: other });
    const token: LiveToken = {
      ...{ expiresAt: new Date(expires * 1_000), staleAt: new Date(stale * 1_000), operator },
      roleIds: trial ? [...roleIds, trial.roleId] : roleIds,
    };
    return [key, token] as const;
  });
  return new Map(found);
}
