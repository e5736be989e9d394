import { readFileSync } from 'node:fs';
import { sql } from 'kysely';
import { loadConfig } from '#server/config.ts';
import type { Db } from '#server/db/database.ts';
import { Anchor, anchorsIn, isCode } from '#server/features/seals/anchor.ts';
import type { SealProof } from '#server/features/seals/proof.ts';
import { proveSeals } from '#server/features/seals/prove-seals.ts';
import { createVault } from '#server/vault.ts';
import { commandWords } from './command-words.ts';
import { withDatabase } from './open-database.ts';
import { tellPlainly } from './plain-errors.ts';
import { peakMemory, showProgress, tellProof, timeSince } from './tell-proof.ts';

// `npm run prove -- [锚点文件或短码]…` proves everything that is sealed, and that it goes on from anchors kept elsewhere. It takes the server's
// environment, APP_SECRET too, may run while the server works, and ends with 1 when anything does not agree.

const LANES = 2;

class AnchorError extends Error {
  override name = 'AnchorError';
}

function anchorsOf(file: string): Anchor[] {
  try {
    return anchorsIn(readFileSync(file, 'utf8'));
  } catch {
    throw new AnchorError(`锚点文件 ${file} 无法读取或不是导出的锚点`);
  }
}

/** The anchor that the database has under a short code. */
async function anchorOf(db: Db, code: string): Promise<Anchor> {
  const { rows } = await sql<{ content: string }>`select content from anchor where code = ${code}`.execute(
    db,
  );
  if (!rows[0]) throw new AnchorError(`数据库里没有锚点 ${code}：它之后的内容被截去，或者短码抄错`);
  return Anchor.parse({ ...JSON.parse(rows[0].content), code });
}

function tell(proof: SealProof, began: number): void {
  const cleaned =
    proof.cleaned > 0 ? `，按保留天数（现为 ${proof.keptDays} 天）已清理的操作日志 ${proof.cleaned} 行` : '';
  const rows = `${proof.rows} 行已封存（${proof.blocks} 段），${proof.unsealed} 行尚未封存${cleaned}`;
  tellProof(
    proof.broken,
    proof.problems.map(({ problem }) => problem),
    `${rows}，核对锚点 ${proof.anchors} 个，${timeSince(began)}，${peakMemory()}`,
  );
}

const kept = commandWords('prove -- [锚点文件或短码]…', 0, Number.POSITIVE_INFINITY);
await tellPlainly(async () => {
  const began = performance.now();
  const config = loadConfig(process.env);
  const { timeZone } = config;
  const onProgress = ({ rows }: SealProof) => showProgress(`已核对 ${rows} 行`);
  await withDatabase(config, { applicationName: 'prove', max: LANES, patient: true }, async (db) => {
    const anchors: Anchor[] = [];
    for (const given of kept) {
      // Typed off a paper, in whatever letters.
      const code = given.toUpperCase();
      anchors.push(...(isCode(code) ? [await anchorOf(db, code)] : anchorsOf(given)));
    }
    const vault = createVault(config.secret);
    const proof = await proveSeals(db, vault, { timeZone, anchors, lanes: LANES, onProgress });
    tell(proof, began);
    if (proof.broken === 0 && anchors.length === 0)
      console.log('没有给出保存在别处的锚点：被截去的尾部与用密钥重做的封存链这样看不出来');
  });
});
