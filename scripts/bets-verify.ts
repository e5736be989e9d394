import { connect } from '#server/db/database.ts';
import { type BetsProof, proveBets } from '#server/features/bets-proof/prove-bets.ts';
import { configWithoutSecret, openDatabase } from './open-database.ts';
import { tellPlainly } from './plain-errors.ts';

// `npm run bets:verify` works out every slip once more from its copy of the rules and the results, by code of its own, and compares it with
// the ledger and the settlements. It takes the server's environment, may run while the server works, and ends with 1 when anything breaks.

const MOST_SHOWN = 50;

function tell({ slips, broken, breaks }: BetsProof, seconds: number): void {
  for (const { slipId, problem } of breaks.slice(0, MOST_SHOWN))
    console.log(slipId === 0 ? problem : `注单 ${slipId}：${problem}`);
  if (broken > MOST_SHOWN) console.log(`……另有 ${broken - MOST_SHOWN} 处`);
  const verdict = broken === 0 ? '全部相符' : `${broken} 处不符`;
  console.log(`${verdict}：${slips} 张注单，用时 ${seconds.toFixed(1)} 秒`);
}

await tellPlainly(async () => {
  const started = performance.now();
  const config = configWithoutSecret(process.env);
  const { url, close } = await openDatabase(config);
  const db = connect(url, {
    timeZone: config.timeZone,
    max: 1,
    patient: true,
    applicationName: 'bets-verify',
  });
  const progress = ({ slips }: BetsProof): void => {
    if (process.stderr.isTTY) process.stderr.write(`\r已核对 ${slips} 张注单 `);
  };
  const proof = await proveBets(db, progress).finally(async () => {
    await db.destroy();
    await close();
  });
  if (process.stderr.isTTY) process.stderr.write('\n');
  tell(proof, (performance.now() - started) / 1000);
  if (proof.broken > 0) process.exitCode = 1;
});
