import { isIP } from 'node:net';
import { CodedError } from '../errors.ts';
import { isPrivateAddress } from '../registry/private-address.ts';

const MAX_URL_LENGTH = 2_048;

/**
 * Throws INVALID_BODY for a URL that deliveries would never be sent to. What a name resolves to is checked with every
 * attempt.
 */
export function checkHookUrl(text: string, { allowsPrivate }: { allowsPrivate: boolean }): string {
  const reason = findProblem(text, allowsPrivate);
  if (reason === undefined) return text;
  const issue = { path: ['url'], code: 'invalid_url', message: `url ${reason}.` };
  throw new CodedError('INVALID_BODY', { issues: [issue] });
}

function findProblem(text: string, allowsPrivate: boolean): string | undefined {
  if (text.length > MAX_URL_LENGTH) return `must have at most ${MAX_URL_LENGTH} characters`;
  if (!URL.canParse(text)) return 'must be a URL';
  const { protocol, hostname, username, password } = new URL(text);
  if (protocol !== 'https:' && !(allowsPrivate && protocol === 'http:')) return 'must use https';
  if (username !== '' || password !== '') return 'must not contain credentials';
  if (allowsPrivate) return undefined;
  const address = hostname.replace(/^\[(.*)\]$/, '$1');
  if (isIP(address) !== 0 && isPrivateAddress(address)) return 'must not have a private address';
  return isLocalName(address) ? 'must not name this machine' : undefined;
}

const isLocalName = (name: string): boolean => /(^|\.)localhost\.?$/i.test(name);
