import { sql } from 'kysely';
import type { Db } from '#server/db/database.ts';

/** What of the rights is the schema's own: those of its owner and of everybody. What the server's role got is no part of it. */
const rights = (acl: string, kind: string, owner: string) =>
  sql.raw(`(select string_agg(case grantee when 0 then 'public' else 'owner' end || ' ' || privilege_type, ',' order by grantee, privilege_type)
    from (select distinct grantee, privilege_type from aclexplode(coalesce(${acl}, acldefault(${kind}, ${owner})))) as held
    where grantee in (0, ${owner}))`);

/** Everything that makes up the schema, as sorted lines of text: equal lines mean equal databases but for their rows. */
export async function dumpSchema(db: Db): Promise<string[]> {
  const { rows } = await sql<{ line: string }>`
    with ours as (
      select oid, nspname from pg_namespace where nspname !~ '^pg_' and nspname <> 'information_schema'
    ), relation as (
      select c.*, n.nspname || '.' || c.relname as title from pg_class c join ours n on n.oid = c.relnamespace
      where not exists (select from pg_depend d where d.objid = c.oid and d.classid = 'pg_class'::regclass and d.deptype = 'e')
    )
    select concat_ws(' ', 'schema', nspname) as line from ours
    union all
    select concat_ws(' ', 'relation', title, relkind, relpersistence, relrowsecurity, reloptions::text, ${rights('relacl', `case relkind when 'S' then 's'::"char" else 'r' end`, 'relowner')},
      pg_get_expr(relpartbound, oid), case when relkind in ('v', 'm') then pg_get_viewdef(oid) end) from relation
    union all
    select concat_ws(' ', 'column', r.title, row_number() over (partition by r.oid order by attnum), attname,
      format_type(atttypid, atttypmod), attnotnull, attidentity, attgenerated, attacl::text, pg_get_expr(adbin, adrelid))
    from relation r join pg_attribute a on a.attrelid = r.oid and attnum > 0 and not attisdropped
      left join pg_attrdef on adrelid = r.oid and adnum = attnum
    where relkind <> 'i'
    union all
    select concat_ws(' ', 'index', r.title, pg_get_indexdef(indexrelid), indisvalid)
    from relation r join pg_index on indexrelid = r.oid
    union all
    select concat_ws(' ', 'constraint', r.title, conname, pg_get_constraintdef(k.oid), convalidated, condeferrable)
    from relation r join pg_constraint k on conrelid = r.oid
    union all
    select concat_ws(' ', 'trigger', r.title, pg_get_triggerdef(t.oid), tgenabled)
    from relation r join pg_trigger t on tgrelid = r.oid and not tgisinternal
    union all
    select concat_ws(' ', 'function', n.nspname, pg_get_functiondef(p.oid), ${rights('proacl', `'f'`, 'proowner')})
    from pg_proc p join ours n on n.oid = pronamespace
    where not exists (select from pg_depend d where d.objid = p.oid and d.classid = 'pg_proc'::regclass and d.deptype = 'e')
    union all
    select concat_ws(' ', 'enum', n.nspname, typname, (select string_agg(enumlabel, ',' order by enumsortorder) from pg_enum where enumtypid = t.oid))
    from pg_type t join ours n on n.oid = typnamespace where typtype = 'e'
    union all
    select concat_ws(' ', 'sequence', schemaname, sequencename, data_type::text, increment_by, cycle) from pg_sequences
    order by 1`.execute(db);
  return rows.map(({ line }) => line);
}
