import { createHash } from 'node:crypto';
import type { Vault } from '#server/vault.ts';
import type { SealKind } from './seal-kinds.ts';

/** A block as it is sealed; times are epoch seconds. */
export interface Block {
  kind: SealKind;
  no: number;
  firstNo: number;
  rows: number;
  fromId: number;
  toId: number;
  late: boolean;
  fromTime: number;
  toTime: number;
  createTime: number;
  digest: Buffer;
  /** SHA-256 of what the marks are. */
  marksHash: Buffer;
}

/** The MAC of a block over its content and the MAC of the block before, so that none can be left out. */
export function macOf(vault: Vault, before: Buffer, block: Block): Buffer {
  const { kind, no, firstNo, rows, fromId, toId, late, fromTime, toTime, createTime } = block;
  const hashes = [block.digest, block.marksHash, before].map((hash) => hash.toString('hex'));
  return vault.proof(
    JSON.stringify([
      'seal',
      ...[kind, no, firstNo, rows, fromId, toId, late, fromTime, toTime, createTime],
      ...hashes,
    ]),
  );
}

export const sha256 = (content: Buffer): Buffer => createHash('sha256').update(content).digest();

const ID_BYTES = 8;
const MARK_BYTES = 12;

/** The ids that marks name, in order, each with the beginning of its row's hash as hex. */
export function readMarks(marks: Buffer): Map<number, string> {
  const rows = new Map<number, string>();
  for (let at = 0; at < marks.length; at += MARK_BYTES)
    rows.set(
      Number(marks.readBigInt64BE(at)),
      marks.subarray(at + ID_BYTES, at + MARK_BYTES).toString('hex'),
    );
  return rows;
}
