import { z } from 'zod';
import type { Vault } from '#server/vault.ts';
import { sealKinds } from './seal-kinds.ts';

const hex = z.string().regex(/^([0-9a-f]{64})?$/);

/** The heads of all kinds at one moment: kept elsewhere, they say what the database must still hold. */
export const AnchorContent = z.object({
  version: z.literal(1),
  no: z.int().min(1),
  /** ISO 8601. */
  time: z.string(),
  heads: z.array(z.object({ kind: z.enum(sealKinds), no: z.int(), rows: z.int(), mac: hex })),
  /** The code of the anchor before; empty for the first. */
  previous: z.string(),
});
export type AnchorContent = z.infer<typeof AnchorContent>;

/** An anchor as it is exported, a line of JSON each. */
export const Anchor = AnchorContent.extend({ code: z.string() });
export type Anchor = z.infer<typeof Anchor>;

/** A cell of an exported table has its quotes twice. */
const unquoted = (line: string): string => (line.includes('{""') ? line.replaceAll('""', '"') : line);

/** The anchors in a file, one a line: as the server writes them, or in the table that the screen exports. Throws where there is none, or half of one. */
export function anchorsIn(text: string): Anchor[] {
  const lines = text.split('\n').filter((line) => line.includes('{'));
  if (lines.length === 0) throw new Error('no anchor');
  return lines.map((line) => {
    const told = unquoted(line);
    return Anchor.parse(JSON.parse(told.slice(told.indexOf('{'), told.lastIndexOf('}') + 1)));
  });
}

// No letter that is taken for a digit.
const letters = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789';
const CODE_BYTES = 20;

/** A short code that stands for an anchor's content: 100 bits under the platform's key, in groups of five. */
export function codeOf(vault: Vault, { version, no, time, heads, previous }: AnchorContent): string {
  const told = heads.map(({ kind, no: last, rows, mac }) => [kind, last, rows, mac]);
  const proof = vault.proof(JSON.stringify(['anchor', version, no, time, told, previous]));
  const text = [...proof.subarray(0, CODE_BYTES)].map((byte) => letters[byte % letters.length]).join('');
  return text.match(/.{5}/g)?.join('-') ?? text;
}

export const isCode = (text: string): boolean => /^[A-HJ-NP-Z2-9]{5}(-[A-HJ-NP-Z2-9]{5}){3}$/.test(text);
