import { sql } from 'kysely';
import { loadConfig } from '#server/config.ts';
import { connect, type Db } from '#server/db/database.ts';
import { embeddedUrl, startEmbeddedPostgres } from '#server/db/embedded-postgres.ts';
import { type LedgerProof, proveLedger } from '#server/features/ledger/ledger-proof.ts';

// `npm run ledger:verify` proves every account's sums, numbers and hash chain, apart from the database's own code. It takes
// the server's environment, may run while the server works, and ends with 1 when anything breaks. Rows stream through a heap that
// package.json keeps small: Node would rather let garbage pile up to hundreds of megabytes.

const MOST_SHOWN = 50;
const { timeZone, databaseUrl, dataDir } = loadConfig(process.env);

const open = (url: string): Db =>
  connect(url, { timeZone, max: 1, patient: true, applicationName: 'ledger-verify' });

/** The database given, that of a running embedded server, or the embedded one started for this. */
async function openLedger(): Promise<{ db: Db; close: () => Promise<void> }> {
  const known = databaseUrl ?? embeddedUrl(dataDir);
  if (known) {
    const db = open(known);
    const answers = await sql`select 1`.execute(db).then(
      () => true,
      () => false,
    );
    if (answers || databaseUrl) return { db, close: () => db.destroy() };
    await db.destroy();
  }
  const postgres = await startEmbeddedPostgres({ dataDir, onEvent: console.error });
  const db = open(postgres.url);
  return {
    db,
    close: async () => {
      await db.destroy();
      await postgres.stop();
    },
  };
}

function tell({ accounts, rows, broken, breaks }: LedgerProof, seconds: number): void {
  for (const { userId, accountSeq, problem } of breaks.slice(0, MOST_SHOWN))
    console.log(`用户 ${userId}，${accountSeq === 0 ? '账户' : `第 ${accountSeq} 条账变`}：${problem}`);
  if (broken > MOST_SHOWN) console.log(`……另有 ${broken - MOST_SHOWN} 处`);
  const verdict = broken === 0 ? '全部相符' : `${broken} 处不符`;
  const memory = Math.round(process.resourceUsage().maxRSS / 1024);
  console.log(
    `${verdict}：${accounts} 个账户，${rows} 条账变，用时 ${seconds.toFixed(1)} 秒，内存峰值 ${memory} MB`,
  );
}

const started = performance.now();
const ledger = await openLedger();
const progress = ({ accounts, rows }: LedgerProof): void => {
  if (process.stderr.isTTY) process.stderr.write(`\r已核对 ${accounts} 个账户，${rows} 条账变 `);
};
const proof = await proveLedger(ledger.db, progress).finally(ledger.close);
if (process.stderr.isTTY) process.stderr.write('\n');
tell(proof, (performance.now() - started) / 1000);
process.exit(proof.broken === 0 ? 0 : 1);
