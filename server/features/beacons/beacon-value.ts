import { decodeBody } from '#server/outbound/decode-body.ts';
import type { Fetched } from '#server/outbound/fetch-body.ts';
import { readJson, SourceUnreadable } from '../spiders/collectors/drawn-result.ts';
import { bounded, firstAt } from '../spiders/json-query.ts';

/** A beacon publishes a value and little more. */
const LARGEST_BYTES = 65_536;
const LONGEST_VALUE = 1_000;

/** The value at a path of what a beacon answered, as text. Throws `SourceUnreadable` with a Chinese sentence. */
export function beaconValueOf(fetched: Fetched, path: string): string {
  const { status, body } = fetched;
  if (status < 200 || status > 299) throw new SourceUnreadable(`来源返回 HTTP ${status}`);
  if (body.length > LARGEST_BYTES) throw new SourceUnreadable('来源返回的内容超过 64 KB');
  const json = bounded(readJson(decodeBody(fetched)));
  const found = firstAt(json, path);
  // A fraction would be another one for whoever reads it exactly; a long whole number comes as it was written.
  const value = typeof found === 'string' || Number.isSafeInteger(found) ? String(found) : '';
  // No text of the database holds that character.
  if (value === '' || value.length > LONGEST_VALUE || value.includes('\0'))
    throw new SourceUnreadable(`来源的 ${path} 处不是 1 到 ${LONGEST_VALUE} 个字符的文本或整数`);
  return value;
}
