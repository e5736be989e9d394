import { type BetsProof, proveBets } from '#server/features/bets-proof/prove-bets.ts';
import { commandWords } from './command-words.ts';
import { configWithoutSecret, withDatabase } from './open-database.ts';
import { tellPlainly } from './plain-errors.ts';
import { showProgress, tellProof, timeSince } from './tell-proof.ts';

// `npm run bets:verify` works out every slip once more from its copy of the rules and the results, by code of its own, and compares it with
// the ledger and the settlements. It takes the server's environment, may run while the server works, and ends with 1 when anything breaks.

const patient = { applicationName: 'bets-verify', patient: true };

commandWords('bets:verify', 0);
await tellPlainly(async () => {
  const began = performance.now();
  const onProgress = ({ slips }: BetsProof) => showProgress(`已核对 ${slips} 张注单`);
  const { slips, broken, breaks } = await withDatabase(configWithoutSecret(process.env), patient, (db) =>
    proveBets(db, onProgress),
  );
  const sentences = breaks.map(({ slipId, problem }) =>
    slipId === 0 ? problem : `注单 ${slipId}：${problem}`,
  );
  tellProof(broken, sentences, `${slips} 张注单，${timeSince(began)}`);
});
