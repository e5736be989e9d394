import { sql } from 'kysely';
import { DatabaseUnfit, type Db } from './database.ts';

/** Tables whose rows are written once and for all. */
const tables = ['account_history', 'account_debt', 'change_record', 'slip_rules'] as const;

interface Rights {
  readonly table: string;
  /** Nobody can take anything from a superuser. */
  readonly superuser: boolean;
  readonly owns: boolean;
  readonly may: boolean;
  readonly guarded: boolean;
}

async function readRights(db: Db): Promise<Rights[]> {
  const { rows } = await sql<Rights>`
    select relname as "table", r.rolsuper as superuser, pg_has_role(relowner, 'USAGE') as owns,
      has_table_privilege(c.oid, 'UPDATE') or has_table_privilege(c.oid, 'DELETE') or has_table_privilege(c.oid, 'TRUNCATE')
        or has_any_column_privilege(c.oid, 'UPDATE') as may,
      exists (select from pg_trigger where tgrelid = c.oid and tgname = relname || '_append_only' and tgenabled in ('O', 'A')) as guarded
    from pg_class c, pg_roles r where c.oid in (select to_regclass(name) from unnest(${[...tables]}::text[]) as name) and r.rolname = current_user`.execute(
    db,
  );
  return rows;
}

/**
 * Takes from the application's own role the rights to change what is written once: a restored backup, or whoever granted
 * everything on all tables, may have given them back. Returns sentences for whoever starts the server, and throws `DatabaseUnfit`
 * when the rights cannot be taken or the guard of a table is off.
 */
export async function secureAppendOnly(db: Db): Promise<string[]> {
  return db.transaction().execute(async (tx) => {
    await sql`select pg_advisory_xact_lock(hashtextextended('rights', 0))`.execute(tx);
    for (const { table, owns, may, superuser } of await readRights(tx)) {
      if (!owns || !may || superuser) continue;
      const columns = await columnsOf(tx, table);
      await sql`revoke update, delete, truncate on ${sql.table(table)} from public, current_user`.execute(tx);
      await sql`revoke update (${sql.join(columns.map((name) => sql.ref(name)))}) on ${sql.table(table)} from public, current_user`.execute(
        tx,
      );
    }
    const rights = await readRights(tx);
    for (const { table, superuser, may, guarded } of rights) {
      if (!guarded)
        throw new DatabaseUnfit(
          `数据表 ${table} 的保护触发器缺失或已停用，账目可能被改动，请从备份恢复或重新启用它`,
        );
      if (may && !superuser)
        throw new DatabaseUnfit(
          `连接数据库的角色可以修改或删除 ${table}，而且这项权限收不回来；请由授权者收回`,
        );
    }
    return rights.some(({ superuser }) => superuser)
      ? ['连接数据库的角色是超级用户，账本与操作日志对它没有保护；请改用普通角色']
      : [];
  });
}

async function columnsOf(db: Db, table: string): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select attname as name from pg_attribute where attrelid = ${table}::regclass and attnum > 0 and not attisdropped`.execute(
    db,
  );
  return rows.map(({ name }) => name);
}
