import { isIP } from 'node:net';
import type { FastifyRequest } from 'fastify';
import ipaddr from 'ipaddr.js';

/** Of an IPv6 address whoever has one has at least the 64 bits after these. */
const IPV6_NETWORK_BYTES = 8;

/** An address as proxies write it: with the port it was reached over, in brackets, or neither. */
const bare = (address: string): string =>
  /^\[([^\]]+)\](?::\d+)?$/.exec(address)?.[1] ?? /^([\d.]+):\d+$/.exec(address)?.[1] ?? address;

/** The address that a trusted proxy tells of whoever calls; where that is none, the address of the proxy, so that nobody has as many as they can think of. */
export function callerAddress({ ip, socket }: Pick<FastifyRequest, 'ip' | 'socket'>): string {
  if (isIP(ip)) return ip;
  const told = bare(ip);
  return isIP(told) ? told : (socket.remoteAddress ?? '');
}

/** What counts as one place that calls come from: an IPv4 address, or the network of an IPv6 address. */
export function originOf(address: string): string {
  if (!ipaddr.isValid(address)) return address;
  const parsed = ipaddr.process(address);
  if (parsed.kind() === 'ipv4') return parsed.toString();
  const network = parsed.toByteArray().slice(0, IPV6_NETWORK_BYTES);
  return `${ipaddr.fromByteArray([...network, ...Array(IPV6_NETWORK_BYTES).fill(0)]).toString()}/64`;
}
