/**
 * Which IP addresses are of the public Internet, by the special-purpose registries of IANA.
 * Never public: private, local, shared, reserved, documentation and multicast addresses, however they are written, and IPv6
 * addresses that hold an IPv4 address, since whoever routes them decides where they lead.
 */
import ipaddr from 'ipaddr.js';

/** Public by their number, but answered inside the networks of a cloud with what belongs to the machine. */
const cloudMetadataAddresses: ReadonlySet<string> = new Set(['168.63.129.16']);

export const isPublicAddress = (text: string): boolean => {
  // The zone of a link-local address (%eth0) says already that it is none.
  if (!ipaddr.isValid(text) || text.includes('%')) return false;
  const address = ipaddr.parse(text);
  if (address instanceof ipaddr.IPv4) return isPublicIpv4(address);
  return address instanceof ipaddr.IPv6 && isPublicIpv6(address);
};

const isPublicIpv4 = (address: ipaddr.IPv4): boolean =>
  address.range() === 'unicast' && !cloudMetadataAddresses.has(address.toString());

/** Only 2000::/3 is given out; the translated addresses of RFC 6052 are as public as what they translate. */
const isPublicIpv6 = (address: ipaddr.IPv6): boolean => {
  const bytes = address.toByteArray();
  if (isTranslated(address)) return isPublicIpv4(new ipaddr.IPv4(bytes.slice(12)));
  const isGivenOut = ((bytes[0] ?? 0) & 0xe0) === 0x20;
  return isGivenOut && address.range() === 'unicast' && !isTunnel(address);
};

const translationPrefix = ipaddr.IPv6.parse('64:ff9b::');
const isTranslated = (address: ipaddr.IPv6): boolean => address.match(translationPrefix, 96);

/** ISATAP: the interface is an IPv4 address behind whatever prefix. */
const isTunnel = ({ parts }: ipaddr.IPv6): boolean => parts[5] === 0x5efe && (parts[4] === 0 || parts[4] === 0x200);
