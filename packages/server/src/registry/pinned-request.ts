import { lookup as systemLookup } from 'node:dns/promises';
import { once } from 'node:events';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { isIP } from 'node:net';
import { isPrivateAddress } from './private-address.ts';

/** How names are resolved, and which addresses are not of the public internet. */
export type Network = {
  readonly lookup: (name: string) => Promise<readonly string[]>;
  readonly isPrivate: (address: string) => boolean;
};

export const systemNetwork: Network = {
  lookup: async (name) => {
    const found = await systemLookup(name, { all: true, order: 'verbatim' });
    return found.map(({ address }) => address);
  },
  isPrivate: isPrivateAddress,
};

/** The addresses of a URL's host now. */
export async function resolveAddresses(
  { hostname }: URL,
  { lookup }: Network,
): Promise<readonly string[]> {
  const name = hostname.replace(/^\[(.*)\]$/, '$1');
  return isIP(name) === 0 ? await lookup(name) : [name];
}

type PinnedRequest = {
  readonly method?: 'GET' | 'POST';
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly signal?: AbortSignal;
};

/**
 * Sends the request to one of the given addresses, whatever the name resolves to now, so that a name cannot change its
 * address after it was checked. Redirects are not followed.
 */
export async function sendToAddresses(
  url: URL,
  addresses: readonly string[],
  { method = 'GET', headers, body, signal }: PinnedRequest,
): Promise<IncomingMessage> {
  const found = addresses.map((address) => ({ address, family: isIP(address) }));
  const [first = { address: '', family: 0 }] = found;
  const request = (url.protocol === 'https:' ? httpsRequest : httpRequest)(url, {
    agent: false,
    method,
    headers,
    ...(signal && { signal }),
    lookup: (_name, { all }, done) => {
      if (all) done(null, found);
      else done(null, first.address, first.family);
    },
  });
  // after the response, its stream has the error
  request.on('error', () => undefined);
  request.end(body);
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  return response;
}
