import { sql } from 'kysely';
import { DatabaseUnfit, type Db } from './database.ts';

export async function roleOf(db: Db): Promise<string> {
  const { rows } = await sql<{ role: string }>`select current_user as role`.execute(db);
  return rows[0]?.role ?? '';
}

/** What of this database belongs to the role that asks, or to one it may become. */
async function ownedBy(db: Db): Promise<{ count: number; first: string | null }> {
  const { rows } = await sql<{ count: number; first: string | null }>`
    with owned (name, owner) as (
      select '数据库 ' || datname, datdba from pg_database where datname = current_database()
      union all select '模式 public', nspowner from pg_namespace where nspname = 'public'
      union all select '数据表 ' || relname, relowner from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p', 'v', 'S')
      union all select '函数 ' || proname, proowner from pg_proc where pronamespace = 'public'::regnamespace
    )
    select count(*)::integer as count, min(name) as first from owned where pg_has_role(current_user, owner, 'MEMBER')`.execute(
    db,
  );
  return rows[0] ?? { count: 0, first: null };
}

/** What is lost where the role of the server owns the database, for whoever starts it. */
export async function tellOwned(db: Db): Promise<string[]> {
  if ((await ownedBy(db)).count === 0) return [];
  return [
    '服务与迁移共用一个数据库角色：它拥有数据表，谁拿到它就能停用保护触发器，改写或删除账本、操作日志与开奖记录；请按运维手册用 DATABASE_OWNER_URL 分开两个角色',
  ];
}

/** Throws `DatabaseUnfit` where the role of the server has what should be its owner's. */
export async function demandNothingOwned(db: Db): Promise<void> {
  const { count, first } = await ownedBy(db);
  if (count > 0)
    throw new DatabaseUnfit(
      `DATABASE_URL 的角色仍拥有数据库里的 ${count} 项（${first} 等），或者能变成它们的所有者，与 DATABASE_OWNER_URL 没有分开；请按运维手册移交所有权`,
    );
}

/**
 * What is missing or too much in a role's rights, as statements: it may read all tables, and change of each what its owner may and no
 * trigger refuses as a whole; what the migrations did is only read. Where rows may go that cannot be changed, the right to change them
 * stays, since without it none can be locked; the trigger refuses the change.
 */
const statements = (role: string) => sql<{ statement: string }>`
  with asked as (
    select c.oid, c.relname, array(
      select p from unnest(array['SELECT', 'INSERT', 'UPDATE', 'DELETE']
        || case when current_setting('server_version_num')::integer >= 170000 then array['MAINTAIN'] else '{}' end) as p
      where (p = 'SELECT' or relname <> 'schema_migration')
        and exists (select from aclexplode(coalesce(relacl, acldefault('r', relowner))) where grantee = relowner and privilege_type = p)
        and not (p in ('UPDATE', 'DELETE') and refused & 8 <> 0 and (p = 'DELETE' or refused & 16 <> 0))) as wanted
    from pg_class c, lateral (select coalesce(bit_or(tgtype), 0) as refused from pg_trigger
      where tgrelid = c.oid and tgfoid = 'refuse_change'::regproc and tgtype & 1 = 0) as t
    where relnamespace = 'public'::regnamespace and relkind in ('r', 'p')
  ), held as (
    select *, array(select p from unnest(array['SELECT', 'INSERT', 'UPDATE', 'DELETE', 'TRUNCATE', 'REFERENCES', 'TRIGGER']
        || case when 'MAINTAIN' = any(wanted) then array['MAINTAIN'] else '{}' end) as p
      where has_table_privilege(${role}, oid, p) or p in ('UPDATE', 'INSERT', 'REFERENCES') and has_any_column_privilege(${role}, oid, p)) as has
    from asked
  )
  select format('revoke all on %I from public, %I', relname, ${role}::text) as statement from held where not has <@ wanted
  union all
  select format('revoke all (%s) on %I from public, %I', (select string_agg(quote_ident(attname), ', ') from pg_attribute
    where attrelid = oid and attnum > 0 and not attisdropped), relname, ${role}::text) from held where not has <@ wanted
  union all
  select format('grant %s on %s to %I', array_to_string(wanted, ', '), string_agg(quote_ident(relname), ', '), ${role}::text)
  from held where not (has @> wanted and has <@ wanted) group by wanted
  union all
  select format('grant usage, select on %s to %I', string_agg(quote_ident(relname), ', '), ${role}::text)
  from pg_class c where relnamespace = 'public'::regnamespace and relkind = 'S'
    and not (has_sequence_privilege(${role}, oid, 'USAGE') and has_sequence_privilege(${role}, oid, 'SELECT')) having count(*) > 0
  union all
  select format('grant execute on function %s to %I', oid::regprocedure, ${role}::text)
  from pg_proc where pronamespace = 'public'::regnamespace and not has_function_privilege(${role}, oid, 'EXECUTE')
  union all
  select format('grant usage on schema public to %I', ${role}::text) where not has_schema_privilege(${role}, 'public', 'USAGE')
  union all
  select format('revoke create on schema public from public, %I', ${role}::text) where has_schema_privilege(${role}, 'public', 'CREATE')`;

/**
 * Gives the server's role what it works with, and takes back whatever else it was given: rights on rows that are written once, on
 * triggers and on the schema. Throws `DatabaseUnfit` when something of that cannot be taken back.
 */
export async function letServerWork(owner: Db, role: string): Promise<void> {
  const left = await owner.transaction().execute(async (tx) => {
    await sql`select pg_advisory_xact_lock(hashtextextended('rights', 0))`.execute(tx);
    for (const { statement } of (await statements(role).execute(tx)).rows)
      await sql.raw(statement).execute(tx);
    return (await statements(role).execute(tx)).rows;
  });
  const [first] = left;
  if (first)
    throw new DatabaseUnfit(
      `DATABASE_URL 的角色 ${role} 的数据库权限不对，而且改不过来（${first.statement}）；请由授权者处理，它也不能是超级用户`,
    );
}
