import type { Fetched } from './fetch-body.ts';

const strictUtf8 = new TextDecoder('utf-8', { fatal: true });

/** The charset a body claims for itself: in its header, its XML declaration or its meta tag. */
function claimedCharset(contentType: string, body: Buffer): string {
  const head = body.subarray(0, 1024).toString('latin1');
  const claim =
    /charset\s*=\s*["']?([\w-]+)/i.exec(contentType) ??
    /(?:charset|encoding)\s*=\s*["']?([\w-]+)/i.exec(head);
  return claim?.[1]?.toLowerCase() ?? '';
}

const isUtf16 = (body: Buffer): boolean =>
  (body[0] === 0xff && body[1] === 0xfe) || (body[0] === 0xfe && body[1] === 0xff);

/** Nothing for a charset that nobody knows. */
function decoderOf(charset: string): TextDecoder | undefined {
  try {
    return new TextDecoder(charset);
  } catch {
    return undefined;
  }
}

/**
 * The text of a body. What is valid UTF-8 is UTF-8, since sources claim charsets they do not use; then what it claims; and
 * Chinese sources that claim Latin-1 or nothing mean GB18030.
 */
export function decodeBody({ contentType, body }: Pick<Fetched, 'contentType' | 'body'>): string {
  if (isUtf16(body)) return new TextDecoder(body[0] === 0xff ? 'utf-16le' : 'utf-16be').decode(body);
  try {
    return strictUtf8.decode(body);
  } catch {
    const claimed = claimedCharset(contentType, body);
    const isTrusted = !/^(utf-?8|iso-?8859-?1|latin1|us-ascii)$/.test(claimed);
    return ((isTrusted && decoderOf(claimed)) || new TextDecoder('gb18030')).decode(body);
  }
}
