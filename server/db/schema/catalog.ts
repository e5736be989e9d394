import { sql } from 'kysely';
import type { Db } from '../database.ts';

export interface Column {
  readonly name: string;
  /** In quotes where SQL needs them. */
  readonly quoted: string;
  /** As PostgreSQL writes it: `bigint`, `timestamp with time zone`, `text[]`. */
  readonly type: string;
  readonly notNull: boolean;
  /** `a`: generated always as identity; `d`: by default; empty: no identity. */
  readonly identity: string;
  /** Whether `expression` is what the column is always generated from, and not its default. */
  readonly stored: boolean;
  readonly expression: string | null;
  readonly comment: string | null;
}

export interface Constraint {
  readonly name: string;
  /** `p`rimary key, `u`nique, `c`heck, `f`oreign key, e`x`clusion. */
  readonly kind: string;
  readonly columns: readonly string[];
  readonly definition: string;
}

export interface Table {
  readonly name: string;
  readonly comment: string | null;
  /** Not written to the log: empty after a crash. */
  readonly unlogged: boolean;
  /** Storage parameters, `fillfactor=70`. */
  readonly options: readonly string[];
  /** What the owner has been denied, `UPDATE`. */
  readonly denied: readonly string[];
  readonly columns: readonly Column[];
  readonly constraints: readonly Constraint[];
  readonly indexes: readonly string[];
  readonly triggers: readonly string[];
  /** The other tables it refers to, and the functions that its columns, checks, indexes and triggers call. */
  readonly tables: readonly string[];
  readonly functions: readonly string[];
}

export interface Routine {
  readonly name: string;
  readonly comment: string | null;
  readonly arguments: string;
  readonly result: string;
  readonly language: string;
  /** `immutable`, `strict`, `parallel safe` and the like, where they are not the usual. */
  readonly traits: readonly string[];
  /** Text of the body, or `return …` when PostgreSQL keeps it parsed. */
  readonly body: string;
  readonly parsed: boolean;
  readonly isPublic: boolean;
  /** The functions that its parsed body calls. */
  readonly functions: readonly string[];
}

/** A type of rows that no table holds, for what functions hand to each other. */
export interface RowType {
  readonly name: string;
  readonly comment: string | null;
  /** Each with its type, as SQL. */
  readonly columns: readonly string[];
}

export interface Catalog {
  readonly extensions: readonly string[];
  readonly types: readonly RowType[];
  readonly tables: readonly Table[];
  readonly routines: readonly Routine[];
}

const notOfExtension = (oid: string) =>
  sql.raw(`not exists (select from pg_depend d where d.objid = ${oid} and d.deptype = 'e')`);

/** In the order in which migrations made them. */
const readTables = (db: Db) =>
  sql<Table>`
    select relname as name, obj_description(c.oid, 'pg_class') as comment, relpersistence = 'u' as unlogged, coalesce(reloptions, '{}') as options,
      array(select a.privilege_type from aclexplode(acldefault('r', relowner)) a where a.grantee = relowner
        and relacl is not null and not exists (select from aclexplode(relacl) b
          where b.grantee = relowner and b.privilege_type = a.privilege_type) order by 1) as denied,
      (select jsonb_agg(jsonb_build_object('name', attname, 'quoted', quote_ident(attname), 'type', format_type(atttypid, atttypmod), 'notNull', attnotnull,
          'identity', attidentity, 'stored', attgenerated = 's', 'expression', pg_get_expr(adbin, adrelid, true),
          'comment', col_description(c.oid, attnum)) order by attnum)
        from pg_attribute left join pg_attrdef on adrelid = attrelid and adnum = attnum
        where attrelid = c.oid and attnum > 0 and not attisdropped) as columns,
      (select coalesce(jsonb_agg(jsonb_build_object('name', conname, 'kind', contype,
          'columns', array(select attname from unnest(conkey) with ordinality k (num, place)
            join pg_attribute on attrelid = c.oid and attnum = num order by place),
          'definition', pg_get_constraintdef(k.oid, true)) order by array_position('{p,u,x,f,c}', contype), k.oid), '[]')
        from pg_constraint k where conrelid = c.oid and contype in ('p', 'u', 'x', 'f', 'c')) as constraints,
      array(select pg_get_indexdef(indexrelid, 0, true) from pg_index where indrelid = c.oid
        and not exists (select from pg_constraint where conindid = indexrelid and conrelid = c.oid) order by indexrelid) as indexes,
      array(select pg_get_triggerdef(oid, true) from pg_trigger where tgrelid = c.oid and not tgisinternal order by oid) as triggers,
      array(select distinct t.relname from pg_constraint join pg_class t on t.oid = confrelid
        where conrelid = c.oid and contype = 'f' and t.oid <> c.oid)::text[] as tables,
      array(select distinct p.oid::regprocedure::text from pg_depend d join pg_proc p on p.oid = d.refobjid
        where d.refclassid = 'pg_proc'::regclass and d.objid in (
          select oid from pg_attrdef where adrelid = c.oid union all select oid from pg_constraint where conrelid = c.oid
          union all select indexrelid from pg_index where indrelid = c.oid
          union all select oid from pg_trigger where tgrelid = c.oid)) as functions
    from pg_class c
    where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition
    order by c.oid`.execute(db);

const readRoutines = (db: Db) =>
  sql<Routine>`
    select p.oid::regprocedure::text as name, obj_description(p.oid, 'pg_proc') as comment,
      proname || '(' || pg_get_function_arguments(p.oid) || ')' as arguments,
      pg_get_function_result(p.oid) as result, lanname as language,
      array_remove(array[
        case provolatile when 'i' then 'immutable' when 's' then 'stable' end,
        case when proisstrict then 'strict' end,
        case proparallel when 's' then 'parallel safe' when 'r' then 'parallel restricted' end,
        case when prosecdef then 'security definer' end,
        case when proretset and prorows <> 1000 then 'rows ' || prorows end] || array(select 'set ' || setting from unnest(proconfig) setting), null) as traits,
      coalesce(pg_get_function_sqlbody(p.oid), prosrc) as body, prosqlbody is not null as parsed,
      has_function_privilege('public', p.oid, 'execute') as "isPublic",
      array(select distinct d.refobjid::regprocedure::text from pg_depend d where d.objid = p.oid
        and d.classid = 'pg_proc'::regclass and d.refclassid = 'pg_proc'::regclass) as functions
    from pg_proc p join pg_language l on l.oid = prolang
    where pronamespace = 'public'::regnamespace and ${notOfExtension('p.oid')}
    order by p.oid`.execute(db);

const readTypes = (db: Db) =>
  sql<RowType>`
    select quote_ident(relname) as name, obj_description(c.reltype, 'pg_type') as comment,
      array(select quote_ident(attname) || ' ' || format_type(atttypid, atttypmod) from pg_attribute
        where attrelid = c.oid and attnum > 0 and not attisdropped order by attnum) as columns
    from pg_class c where relnamespace = 'public'::regnamespace and relkind = 'c' order by c.oid`.execute(db);

/** What the migrations made, as the database itself tells it. */
export async function readCatalog(db: Db): Promise<Catalog> {
  const extensions = await sql<{ name: string }>`
    select extname as name from pg_extension where extname <> 'plpgsql' order by 1`.execute(db);
  const tables = await readTables(db);
  const routines = await readRoutines(db);
  const types = await readTypes(db);
  return {
    extensions: extensions.rows.map(({ name }) => name),
    types: types.rows,
    tables: tables.rows,
    routines: routines.rows,
  };
}
