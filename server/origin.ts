import ipaddr from 'ipaddr.js';

/** Of an IPv6 address whoever has one has at least the 64 bits after these. */
const IPV6_NETWORK_BYTES = 8;

/** What counts as one place that calls come from: an IPv4 address, or the network of an IPv6 address. */
export function originOf(address: string): string {
  if (!ipaddr.isValid(address)) return address;
  const parsed = ipaddr.process(address);
  if (parsed.kind() === 'ipv4') return parsed.toString();
  const network = parsed.toByteArray().slice(0, IPV6_NETWORK_BYTES);
  return `${ipaddr.fromByteArray([...network, ...Array(IPV6_NETWORK_BYTES).fill(0)]).toString()}/64`;
}
