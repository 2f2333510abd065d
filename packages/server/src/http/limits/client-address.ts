import type { IncomingMessage } from 'node:http';
import { BlockList, isIP, isIPv4, type Socket } from 'node:net';

/** Who may speak for others in `x-forwarded-for`. */
export type TrustedProxies = { readonly has: (address: string) => boolean };

/** Addresses and CIDR ranges; undefined when one of them is neither. */
export function parseTrustedProxies(entries: readonly string[]): TrustedProxies | undefined {
  const list = new BlockList();
  for (const entry of entries) {
    const [address = '', bits, ...rest] = entry.split('/');
    const family = familyOf(address);
    if (family === undefined || rest.length > 0) return undefined;
    const width = family === 'ipv4' ? 32 : 128;
    if (bits !== undefined && !(/^\d{1,3}$/.test(bits) && Number(bits) <= width)) return undefined;
    list.addSubnet(address, bits === undefined ? width : Number(bits), family);
  }
  return {
    has: (address) => {
      const family = familyOf(address);
      return family !== undefined && list.check(address, family);
    },
  };
}

/**
 * The caller's address. `x-forwarded-for` is read from the right, and only as far as each speaker is a
 * trusted proxy; an entry that is no address ends the reading at the proxy that sent it.
 */
export function clientAddress(request: IncomingMessage, trusted: TrustedProxies): string {
  let address = plainAddress(request.socket.remoteAddress ?? '');
  const forwarded = request.headers['x-forwarded-for'];
  if (forwarded === undefined || !trusted.has(address)) return address;
  const hops = (Array.isArray(forwarded) ? forwarded.join(',') : forwarded).split(',').reverse();
  for (const hop of hops) {
    const next = plainAddress(withoutPort(hop.trim()));
    if (isIP(next) === 0) return address;
    address = next;
    if (!trusted.has(address)) return address;
  }
  return address;
}

export type RateLimitCaller = {
  /** One caller for the limits: an IPv4 address, or the /64 that an IPv6 address is in. */
  readonly caller: string;
  readonly loopback: boolean;
};

/** Without `x-forwarded-for` a connection has one caller, found out once. */
export function createCallerResolver(
  trusted: TrustedProxies,
): (request: IncomingMessage) => RateLimitCaller {
  const known = new WeakMap<Socket, RateLimitCaller>();
  return (request) => {
    const direct = request.headers['x-forwarded-for'] === undefined;
    const seen = direct ? known.get(request.socket) : undefined;
    if (seen !== undefined) return seen;
    const address = clientAddress(request, trusted);
    const caller = { caller: rateLimitKey(address), loopback: isLoopback(address) };
    if (direct) known.set(request.socket, caller);
    return caller;
  };
}

export function rateLimitKey(address: string): string {
  if (!address.includes(':')) return address;
  return `${expandGroups(address).slice(0, 4).join(':')}::/64`;
}

export function isLoopback(address: string): boolean {
  return address.startsWith('127.') || address === '::1';
}

function familyOf(address: string): 'ipv4' | 'ipv6' | undefined {
  const version = isIP(address);
  if (version === 0) return undefined;
  return version === 4 ? 'ipv4' : 'ipv6';
}

/** Without a zone, and an IPv4 address that came in through IPv6 as what it is. */
function plainAddress(text: string): string {
  const address = text.split('%', 1)[0]?.toLowerCase() ?? '';
  const mapped = address.startsWith('::ffff:') ? address.slice('::ffff:'.length) : '';
  return isIPv4(mapped) ? mapped : address;
}

function withoutPort(text: string): string {
  const bracketed = /^\[([^\]]+)\](?::\d+)?$/.exec(text)?.[1];
  return bracketed ?? /^([^:]+):\d+$/.exec(text)?.[1] ?? text;
}

/** The eight groups of an IPv6 address without leading zeros. */
function expandGroups(address: string): string[] {
  const [head = '', tail] = address.split('::');
  const left = groupsOf(head);
  const right = tail === undefined ? [] : groupsOf(tail);
  const missing = Math.max(0, 8 - left.length - right.length);
  return [...left, ...new Array<string>(tail === undefined ? 0 : missing).fill('0'), ...right];
}

function groupsOf(text: string): string[] {
  if (text === '') return [];
  return text.split(':').flatMap((group) => {
    if (!group.includes('.')) return [trimZeros(group)];
    const [a = 0, b = 0, c = 0, d = 0] = group.split('.').map(Number);
    return [(a * 256 + b).toString(16), (c * 256 + d).toString(16)];
  });
}

function trimZeros(group: string): string {
  return group.replace(/^0+(?=.)/, '');
}
