import { connect } from '#server/db/database.ts';
import { type LedgerProof, proveLedger } from '#server/features/ledger/ledger-proof.ts';
import { configWithoutSecret, openDatabase } from './open-database.ts';
import { tellPlainly } from './plain-errors.ts';

// `npm run ledger:verify` proves every account's sums, numbers, hash chain and debts, apart from the database's own code. It takes
// the server's environment, may run while the server works, and ends with 1 when anything breaks. Rows stream through a heap that
// package.json keeps small: Node would rather let garbage pile up to hundreds of megabytes.

const MOST_SHOWN = 50;

function tell({ accounts, rows, debts, broken, breaks }: LedgerProof, seconds: number): void {
  for (const { userId, accountSeq, problem } of breaks.slice(0, MOST_SHOWN))
    console.log(`用户 ${userId}，${accountSeq === 0 ? '账户' : `第 ${accountSeq} 条账变`}：${problem}`);
  if (broken > MOST_SHOWN) console.log(`……另有 ${broken - MOST_SHOWN} 处`);
  const verdict = broken === 0 ? '全部相符' : `${broken} 处不符`;
  const memory = Math.round(process.resourceUsage().maxRSS / 1024);
  console.log(
    `${verdict}：${accounts} 个账户，${rows} 条账变，${debts} 条欠款，用时 ${seconds.toFixed(1)} 秒，内存峰值 ${memory} MB`,
  );
}

await tellPlainly(async () => {
  const started = performance.now();
  const config = configWithoutSecret(process.env);
  const { url, close } = await openDatabase(config);
  const db = connect(url, {
    timeZone: config.timeZone,
    max: 1,
    patient: true,
    applicationName: 'ledger-verify',
  });
  const progress = ({ accounts, rows }: LedgerProof): void => {
    if (process.stderr.isTTY) process.stderr.write(`\r已核对 ${accounts} 个账户，${rows} 条账变 `);
  };
  const proof = await proveLedger(db, progress).finally(async () => {
    await db.destroy();
    await close();
  });
  if (process.stderr.isTTY) process.stderr.write('\n');
  tell(proof, (performance.now() - started) / 1000);
  if (proof.broken > 0) process.exitCode = 1;
});
