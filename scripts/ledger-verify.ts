import { type LedgerProof, proveLedger } from '#server/features/ledger/ledger-proof.ts';
import { commandWords } from './command-words.ts';
import { configWithoutSecret, withDatabase } from './open-database.ts';
import { tellPlainly } from './plain-errors.ts';
import { peakMemory, showProgress, tellProof, timeSince } from './tell-proof.ts';

// `npm run ledger:verify` proves every account's sums, numbers, hash chain and debts, apart from the database's own code. It takes
// the server's environment, may run while the server works, and ends with 1 when anything breaks. Rows stream through a heap that
// package.json keeps small: Node would rather let garbage pile up to hundreds of megabytes.

const patient = { applicationName: 'ledger-verify', patient: true };

commandWords('ledger:verify', 0);
await tellPlainly(async () => {
  const began = performance.now();
  const onProgress = ({ accounts, rows }: LedgerProof) =>
    showProgress(`已核对 ${accounts} 个账户，${rows} 条账变`);
  const { accounts, rows, debts, broken, breaks } = await withDatabase(
    configWithoutSecret(process.env),
    patient,
    (db) => proveLedger(db, onProgress),
  );
  const sentences = breaks.map(
    ({ userId, accountSeq, problem }) =>
      `用户 ${userId}，${accountSeq === 0 ? '账户' : `第 ${accountSeq} 条账变`}：${problem}`,
  );
  const through = `${accounts} 个账户，${rows} 条账变，${debts} 条欠款`;
  tellProof(broken, sentences, `${through}，${timeSince(began)}，${peakMemory()}`);
});
