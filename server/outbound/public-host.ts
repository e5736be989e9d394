import { lookup as systemLookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import { inTime } from '#server/in-time.ts';
import { Refusal } from '#server/refusal.ts';
import { isPublicAddress } from './public-address.ts';

/** One address of a host. */
export interface HostAddress {
  readonly address: string;
  readonly family: number;
}

/** All addresses of a name; the system's resolver unless a test brings its own. */
export type Lookup = (host: string) => Promise<readonly HostAddress[]>;

/** Which internal hosts may be reached all the same (`host:port`, lower case), and how names are resolved. */
export interface OutboundRules {
  readonly allowedHosts: readonly string[];
  readonly lookup?: Lookup;
}

const LOOKUP_MS = 5_000;

const resolveAll: Lookup = (host) => systemLookup(host, { all: true, verbatim: true });

const unresolved = (host: string) => new Refusal('hostUnresolved', { values: { host } });

async function addressesOf(host: string, lookup: Lookup): Promise<readonly HostAddress[]> {
  const family = isIP(host);
  if (family) return [{ address: host, family }];
  try {
    return await inTime(lookup(host), LOOKUP_MS, () => unresolved(host));
  } catch {
    throw unresolved(host);
  }
}

/**
 * The host as a URL would have it: `0x7f.1`, `2130706433`, `127.0.0.1.` and full-width digits all become 127.0.0.1. Without
 * brackets. Throws `hostUnresolved` for what is no host.
 */
export function plainHost(host: string): string {
  if (host === '' || /[\s/\\?#@%]/.test(host)) throw unresolved(host);
  const bracketed = isIP(host) === 6 ? `[${host}]` : host;
  if (!URL.canParse(`http://${bracketed}/`)) throw unresolved(host);
  return new URL(`http://${bracketed}/`).hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '');
}

const isAllowed = (host: string, port: number, { allowedHosts }: OutboundRules): boolean =>
  allowedHosts.includes(`${isIP(host) === 6 ? `[${host}]` : host}:${port}`.toLowerCase());

/**
 * Resolves a host that an operator named and gives the one address to connect to; connect to that address and nothing
 * else (the name may point elsewhere a moment later), with the host as TLS server name. Refuses (`hostForbidden`) when any
 * of its addresses is internal, unless `host:port` is among the allowed ones; `hostUnresolved` when it has none.
 */
export async function demandPublicHost(
  host: string,
  port: number,
  rules: OutboundRules,
): Promise<HostAddress & { readonly host: string }> {
  const plain = plainHost(host);
  const addresses = await addressesOf(plain, rules.lookup ?? resolveAll);
  const [first] = addresses;
  if (!first) throw unresolved(host);
  const isFree = isAllowed(plain, port, rules) || addresses.every(({ address }) => isPublicAddress(address));
  if (!isFree) throw new Refusal('hostForbidden', { values: { host } });
  return { ...first, host: plain };
}
