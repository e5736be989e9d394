import { request } from 'node:http';
import type { Envelope } from '#contract/envelope.ts';

interface RawOptions {
  method?: string;
  /** Sent as it stands: nothing normalises it on the way. */
  path: string;
  headers?: Readonly<Record<string, string>>;
  body?: string;
}

export interface RawAnswer {
  status: number;
  headers: Readonly<Record<string, string | string[] | undefined>>;
  text: string;
  /** Undefined when the body is no JSON. */
  envelope: Envelope | undefined;
}

const parsed = (text: string): Envelope | undefined => {
  try {
    return JSON.parse(text) as Envelope;
  } catch {
    return undefined;
  }
};

/** One HTTP request exactly as written, for what the contract's client would never send. */
export function rawRequest(
  origin: string,
  { method = 'GET', path, headers = {}, body }: RawOptions,
): Promise<RawAnswer> {
  const { hostname, port } = new URL(origin);
  return new Promise((resolve, reject) => {
    const sent = request({ hostname, port, method, path, headers: { ...headers } }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () => {
        const text = Buffer.concat(chunks).toString('utf8');
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers,
          text,
          envelope: parsed(text),
        });
      });
    });
    sent.on('error', reject);
    sent.end(body);
  });
}
