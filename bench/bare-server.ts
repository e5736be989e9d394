import { createServer } from 'node:http';
import postgres from 'postgres';
import { columnTypes } from '#server/db/driver/column-types.ts';

export interface Statement {
  text: string;
  values: unknown[];
}

/** Bare node:http over postgres.js that answers any request by these statements, one after the other; the last gives the rows. */
export async function bareServer(url: string, timeZone: string, statements: readonly Statement[]) {
  const sql = postgres(url, {
    max: 16,
    connection: { TimeZone: timeZone },
    types: columnTypes,
    onnotice: () => {},
  });
  const server = createServer(async (_request, response) => {
    let data: unknown = null;
    for (const { text, values } of statements)
      data = await sql.unsafe(
        text,
        values.map((value) => sql.typed(value as string, 0)),
        { prepare: true },
      );
    response.setHeader('content-type', 'application/json; charset=utf-8');
    response.end(JSON.stringify({ success: true, msg: null, data: { totalCount: 1, data }, code: 200 }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  return {
    url: `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}/`,
    close: async () => {
      server.closeAllConnections();
      server.close();
      await sql.end();
    },
  };
}
