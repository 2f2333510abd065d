import { isIP } from 'node:net';

const HOST = /^(?:\[([^\]]*)\]|([^:]*))(?::\d{1,5})?$/;

/**
 * Whether a `host` header is an IP address or a name of this machine. A page whose name resolves to this machine (DNS
 * rebinding) sends its own name, so that its requests are recognized although its origin is that of the server.
 */
export function isLocalHost(header: string): boolean {
  const [, bracketed, plain = ''] = HOST.exec(header) ?? [];
  if (bracketed !== undefined) return isIP(bracketed) === 6;
  const name = plain.toLowerCase().replace(/\.$/, '');
  return isIP(name) === 4 || name === 'localhost' || name.endsWith('.localhost');
}
