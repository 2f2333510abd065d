import { BlockList, isIPv6 } from 'node:net';

const ranges: readonly [string, number][] = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
  // these contain IPv4 addresses; the first one also this host
  ['::', 96],
  ['::ffff:0:0:0', 96],
  ['64:ff9b::', 96],
  ['64:ff9b:1::', 48],
  ['2002::', 16],
  ['fc00::', 7],
  ['fe80::', 10],
  ['fec0::', 10],
  ['ff00::', 8],
];

const list = new BlockList();
for (const [address, bits] of ranges) {
  list.addSubnet(address, bits, isIPv6(address) ? 'ipv6' : 'ipv4');
}

/** Whether an IP address is of this machine, its network or no single host: not one of the public internet. */
export function isPrivateAddress(address: string): boolean {
  const plain = address.split('%', 1)[0] ?? '';
  return list.check(plain, isIPv6(plain) ? 'ipv6' : 'ipv4');
}
