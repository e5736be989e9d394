import type { DrawVerification } from '#contract/draw-records.ts';

/** What a draw says of the public value it was promised to wait for, label by label; nothing where none was promised. */
export function beaconParts({ rules: { beacon }, beaconValue }: DrawVerification): [string, string | null][] {
  if (!beacon) return [];
  const { address, value, time, waitMinutes } = beacon;
  return [
    ['公开随机值来源', `${address} 的 ${value}`],
    ['公布时间', `${time}（自 1970 年起的秒数），最多等待 ${waitMinutes} 分钟，等不到则作废`],
    ['公开随机值', beaconValue],
  ];
}
