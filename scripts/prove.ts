import { readFileSync } from 'node:fs';
import { sql } from 'kysely';
import { loadConfig } from '#server/config.ts';
import { connect } from '#server/db/database.ts';
import { Anchor, anchorsIn, isCode } from '#server/features/seals/anchor.ts';
import type { SealProof } from '#server/features/seals/proof.ts';
import { proveSeals } from '#server/features/seals/prove-seals.ts';
import { createVault } from '#server/vault.ts';
import { openDatabase } from './open-database.ts';
import { tellPlainly } from './plain-errors.ts';

// `npm run prove -- [锚点文件或短码]…` proves everything that is sealed, and that it goes on from anchors kept elsewhere. It takes the server's
// environment, APP_SECRET too, may run while the server works, and ends with 1 when anything does not agree.

const MOST_SHOWN = 50;
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

function tell(proof: SealProof, began: number): void {
  for (const { problem } of proof.problems.slice(0, MOST_SHOWN)) console.log(problem);
  if (proof.broken > MOST_SHOWN) console.log(`……另有 ${proof.broken - MOST_SHOWN} 处`);
  const verdict = proof.broken === 0 ? '全部相符' : `${proof.broken} 处不符`;
  const memory = Math.round(process.resourceUsage().maxRSS / 1024);
  const cleaned =
    proof.cleaned > 0 ? `，按保留天数（现为 ${proof.keptDays} 天）已清理的操作日志 ${proof.cleaned} 行` : '';
  console.log(
    `${verdict}：${proof.rows} 行已封存（${proof.blocks} 段），${proof.unsealed} 行尚未封存${cleaned}，核对锚点 ${proof.anchors} 个，` +
      `用时 ${((performance.now() - began) / 1_000).toFixed(1)} 秒，内存峰值 ${memory} MB`,
  );
}

await tellPlainly(async () => {
  const began = performance.now();
  const config = loadConfig(process.env);
  const { timeZone } = config;
  const { url, close } = await openDatabase(config);
  const db = connect(url, { timeZone, max: LANES, patient: true, applicationName: 'prove' });
  try {
    const anchors: Anchor[] = [];
    for (const given of process.argv.slice(2)) {
      if (!isCode(given)) anchors.push(...anchorsOf(given));
      else {
        const { rows } = await sql<{
          content: string;
        }>`select content from anchor where code = ${given}`.execute(db);
        if (!rows[0]) throw new AnchorError(`数据库里没有锚点 ${given}：它之后的内容被截去，或者短码抄错`);
        anchors.push(Anchor.parse({ ...JSON.parse(rows[0].content), code: given }));
      }
    }
    const onProgress = ({ rows }: SealProof): void => {
      if (process.stderr.isTTY) process.stderr.write(`\r已核对 ${rows} 行 `);
    };
    const proof = await proveSeals(db, createVault(config.secret), {
      timeZone,
      anchors,
      lanes: LANES,
      onProgress,
    });
    if (process.stderr.isTTY) process.stderr.write('\n');
    tell(proof, began);
    if (proof.broken > 0) process.exitCode = 1;
    else if (anchors.length === 0)
      console.log('没有给出保存在别处的锚点：被截去的尾部与用密钥重做的封存链这样看不出来');
  } finally {
    await db.destroy();
    await close();
  }
});
