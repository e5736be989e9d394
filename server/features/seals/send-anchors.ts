import { open } from 'node:fs/promises';
import { sql } from 'kysely';
import type { Config } from '#server/config.ts';
import type { Db } from '#server/db/database.ts';
import { FetchFailed, postJson } from '#server/outbound/fetch-body.ts';
import { readParam } from '#server/params/read-param.ts';
import type { Vault } from '#server/vault.ts';
import { queueWritten } from '../mail/queue-mail.ts';
import { readAnchors } from './anchor-store.ts';

interface Sending {
  anchorNo: number;
  way: 'MAIL' | 'WEBHOOK';
  code: string;
  content: string;
  attempts: number;
}

/** Minutes until the next try, after each. */
const pauses = [1, 5, 15, 60];

/** What is said of an anchor that is not to be sent any more; it never was. */
const unwanted = (key: 'anchor.mailTo' | 'anchor.webhookUrl') => `参数 ${key} 已清空，没有发出`;

/** Nothing once it is on its way, or why it will not be. */
async function deliver(db: Db, vault: Vault, config: Config, sending: Sending): Promise<string | null> {
  const { way, code, content } = sending;
  if (way === 'MAIL') {
    const to = await readParam(db, 'anchor.mailTo');
    const text = `封存锚点 ${code}\n\n请保存在数据库所有者接触不到的地方；npm run prove -- 文件 用它核对。\n\n${content}\n`;
    if (!to) return unwanted('anchor.mailTo');
    await queueWritten(db, vault, {
      ...{ template: 'anchor', to },
      content: { subject: `封存锚点 ${code}`, text, html: `<pre>${text}</pre>` },
    });
    return null;
  }
  const url = await readParam(db, 'anchor.webhookUrl');
  if (!url) return unwanted('anchor.webhookUrl');
  const status = await postJson(url, { allowedHosts: config.spiderAllowedHosts }, content);
  if (status < 200 || status > 299) throw new FetchFailed(`对方返回 HTTP ${status}`);
  return null;
}

/** Sends one anchor that is due, if there is one; tells whether there was. */
export const sendNext = (db: Db, vault: Vault, config: Config): Promise<boolean> =>
  db.transaction().execute(async (tx) => {
    const { rows } = await sql<Sending>`
      select s."anchorNo", s.way, s.attempts, a.code, a.content from anchor_sending s join anchor a on a.id = s."anchorNo"
      where s."nextTime" <= now() order by s."nextTime" limit 1 for update of s skip locked`.execute(tx);
    const [sending] = rows;
    if (!sending) return false;
    const { anchorNo, way, attempts } = sending;
    const { failure, isOver } = await deliver(tx, vault, config, sending).then(
      (reason) => ({ failure: reason, isOver: true }),
      (error: unknown) => ({
        failure: error instanceof Error ? error.message : String(error),
        isOver: false,
      }),
    );
    const pause = pauses[Math.min(attempts, pauses.length - 1)];
    await sql`update anchor_sending set attempts = attempts + 1, "lastError" = ${failure},
      "sentTime" = case when ${failure}::text is null then clock_timestamp() end,
      "nextTime" = case when not ${isOver}::boolean then clock_timestamp() + ${pause} * interval '1 minute' end
      where "anchorNo" = ${anchorNo} and way = ${way}`.execute(tx);
    return true;
  });

const AT_ONCE = 500;
const TAIL_BYTES = 16_384;

/** The number of the last anchor in a file, 0 where there is none yet, and what a line that was cut off has of the next. */
async function endOf(file: Awaited<ReturnType<typeof open>>): Promise<{ last: number; begun: string }> {
  const { size } = await file.stat();
  const { buffer, bytesRead } = await file.read(
    Buffer.alloc(TAIL_BYTES),
    0,
    TAIL_BYTES,
    Math.max(0, size - TAIL_BYTES),
  );
  const lines = buffer.toString('utf8', 0, bytesRead).split('\n');
  const begun = lines.pop() ?? '';
  return { last: Math.max(0, ...lines.map((line) => Number(/"no":(\d+)/.exec(line)?.[1] ?? 0))), begun };
}

/** Appends to this server's file whatever anchors it lacks, so that it catches up by itself. A line that was cut off, as by a full disk, is completed. */
export async function writeToFile(db: Db, path: string): Promise<void> {
  const file = await open(path, 'a+', 0o600);
  try {
    let { last: after, begun } = await endOf(file);
    for (let full = true; full; begun = '') {
      const anchors = await readAnchors(db, after, AT_ONCE);
      const text = anchors.map(({ content }) => `${content}\n`).join('');
      // What is no beginning of it was written by somebody else, and stays for whoever proves to see.
      const missing = text.startsWith(begun) ? text.slice(begun.length) : `\n${text}`;
      if (anchors.length > 0) await file.appendFile(missing);
      after = anchors.at(-1)?.no ?? after;
      full = anchors.length === AT_ONCE;
    }
    await file.sync();
  } finally {
    await file.close();
  }
}
