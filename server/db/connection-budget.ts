import { sql } from 'kysely';
import { mostConnections } from './connection-shares.ts';
import { DatabaseUnfit, type Db } from './database.ts';

interface Budget {
  /** What each process may take; null: as many as it would unless told otherwise. */
  readonly each: number | null;
  /** Processes on this machine. */
  readonly servers: number;
}

/**
 * Holds what this machine's processes may take against what the database gives to roles without special rights. Throws `DatabaseUnfit` when a
 * budget was set that cannot be kept; else gives a sentence for whoever starts the server, as a pooler in between may make it good.
 */
export async function checkBudget(db: Db, { each, servers }: Budget): Promise<string | undefined> {
  const { rows } = await sql<{ most: number }>`
    select sum(case name when 'max_connections' then 1 else -1 end * setting::int)::int as most from pg_settings
    where name in ('max_connections', 'superuser_reserved_connections', 'reserved_connections')`.execute(db);
  const most = rows[0]?.most ?? 0;
  const wanted = (each ?? mostConnections) * servers;
  if (wanted <= most) return undefined;
  const sum =
    servers > 1 ? `${servers} 个进程各 ${each ?? mostConnections} 条，共 ${wanted} 条` : `${wanted} 条`;
  const much = `数据库最多给 ${most} 条连接（max_connections 减去保留的），本机的服务可能要用 ${sum}`;
  if (each !== null)
    throw new DatabaseUnfit(
      `${much}；请减小环境变量 DATABASE_CONNECTIONS 或 SERVERS，或调大 max_connections`,
    );
  return `${much}；不够时调用排队等待。请调大 max_connections，或用环境变量 DATABASE_CONNECTIONS 减少每个进程的连接，或在中间放 PgBouncer（已放就不必理会）`;
}
