import ipaddr from 'ipaddr.js';

// Of IPv6 only this block has been given out for the public Internet; what tunnels into IPv4 lies inside and is named.
const globalUnicast = ipaddr.IPv6.parseCIDR('2000::/3');

/** Whether an IP address, as the resolver or a socket prints it, belongs to the public Internet. */
export function isPublicAddress(address: string): boolean {
  if (!ipaddr.isValid(address)) return false;
  const parsed = ipaddr.process(address);
  if (parsed.range() !== 'unicast') return false;
  return parsed instanceof ipaddr.IPv6 ? parsed.match(globalUnicast) : true;
}
