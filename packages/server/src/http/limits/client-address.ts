import type { IncomingMessage } from 'node:http';
import { BlockList, isIP, isIPv4, type Socket } from 'node:net';

/** Addresses whose `x-forwarded-for` is trusted. */
export type TrustedProxies = { readonly has: (address: string) => boolean };

/** Parses addresses and CIDR ranges; undefined if one is invalid. */
export function parseTrustedProxies(
  entries: readonly string[],
): (TrustedProxies & { readonly isEmpty: boolean }) | undefined {
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
    isEmpty: entries.length === 0,
    has: (address) => {
      const family = familyOf(address);
      return family !== undefined && list.check(address, family);
    },
  };
}

/**
 * Address of the client. Reads `x-forwarded-for` from right to left while the sender is a trusted proxy. An invalid
 * entry ends the search at the proxy that sent it.
 */
export function clientAddress(request: IncomingMessage, trusted: TrustedProxies): string {
  let address = plainAddress(request.socket.remoteAddress ?? '');
  const forwarded = request.headers['x-forwarded-for'];
  if (forwarded === undefined || !trusted.has(address)) return address;
  const hops = (Array.isArray(forwarded) ? forwarded.join(',') : forwarded).split(',').reverse();
  for (const hop of hops) {
    const next = plainAddress(removePort(hop.trim()));
    if (isIP(next) === 0) return address;
    address = next;
    if (!trusted.has(address)) return address;
  }
  return address;
}

export type RateLimitCaller = {
  /** IPv4 address, or the /64 prefix of an IPv6 address. */
  readonly caller: string;
  readonly loopback: boolean;
};

/** Headers that a proxy adds. */
const forwardingHeaders = ['x-forwarded-for', 'forwarded', 'x-real-ip', 'via'];

/**
 * Caches the caller per connection for requests that no proxy forwards. `onUntrustedProxy` is called for requests that
 * a local proxy forwards that is not trusted; such a request is not one of a local caller.
 */
export function createCallerResolver(
  trusted: TrustedProxies,
  onUntrustedProxy: () => void = () => undefined,
): (request: IncomingMessage) => RateLimitCaller {
  const callers = new WeakMap<Socket, RateLimitCaller>();
  return (request) => {
    const isDirect = forwardingHeaders.every((name) => request.headers[name] === undefined);
    const cached = isDirect ? callers.get(request.socket) : undefined;
    if (cached !== undefined) return cached;
    const address = clientAddress(request, trusted);
    const sender = plainAddress(request.socket.remoteAddress ?? '');
    const isUntrustedProxy = !isDirect && isLoopback(sender) && !trusted.has(sender);
    if (isUntrustedProxy) onUntrustedProxy();
    const loopback = isLoopback(address) && !isUntrustedProxy;
    const caller = { caller: rateLimitKey(address), loopback };
    if (isDirect) callers.set(request.socket, caller);
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

/** Removes the zone, and unwraps an IPv4-mapped IPv6 address. */
function plainAddress(text: string): string {
  const address = text.split('%', 1)[0]?.toLowerCase() ?? '';
  const mapped = address.startsWith('::ffff:') ? address.slice('::ffff:'.length) : '';
  return isIPv4(mapped) ? mapped : address;
}

function removePort(text: string): string {
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
