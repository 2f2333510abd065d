import { lookup as systemLookup } from 'node:dns/promises';
import { once } from 'node:events';
import { request as httpRequest, type IncomingHttpHeaders, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { isIP } from 'node:net';
import { pipeline, type Readable } from 'node:stream';
import { createBrotliDecompress, createGunzip } from 'node:zlib';
import { isPrivateAddress } from './private-address.ts';

/** How names are resolved, and which addresses a redirect of a public host may not reach. */
export type Network = {
  readonly lookup: (name: string) => Promise<readonly string[]>;
  readonly isPrivate: (address: string) => boolean;
};

type FetchOptions = {
  readonly headers: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
  readonly network?: Network;
};

export type FetchedDocument = {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  /** Decompressed. */
  readonly body: Readable;
};

const systemNetwork: Network = {
  lookup: async (name) => {
    const found = await systemLookup(name, { all: true, order: 'verbatim' });
    return found.map(({ address }) => address);
  },
  isPrivate: isPrivateAddress,
};

const MAX_REDIRECTS = 5;

/**
 * Requests a document that a setting of the operator names. That host may have any address; where it redirects to is not
 * the operator's choice: a public host cannot redirect to an address of this machine or its network. Addresses are
 * checked as they are connected to, so that a name cannot change its address in between.
 */
export async function fetchDocument(start: URL, options: FetchOptions): Promise<FetchedDocument> {
  const { network = systemNetwork } = options;
  let url = start;
  let isFromPublic = false;
  for (let redirects = 0; ; redirects += 1) {
    const addresses = await findAddresses(url, network, isFromPublic);
    const response = await send(url, addresses, {
      ...options,
      headers: headersFor(url, start, options),
    });
    const location = locationOf(response);
    if (location === undefined) return toDocument(response);
    isFromPublic ||= !network.isPrivate(response.socket.remoteAddress ?? '');
    response.destroy();
    if (redirects === MAX_REDIRECTS)
      throw new Error(`it redirects more than ${MAX_REDIRECTS} times`);
    url = parseTarget(location, url);
  }
}

async function findAddresses(
  { hostname, host }: URL,
  { lookup, isPrivate }: Network,
  isFromPublic: boolean,
): Promise<readonly string[]> {
  const name = hostname.replace(/^\[(.*)\]$/, '$1');
  const addresses = isIP(name) === 0 ? await lookup(name) : [name];
  if (!isFromPublic) return addresses;
  const allowed = addresses.filter((address) => !isPrivate(address));
  if (allowed.length === 0) throw new Error(`it redirects to a private address (${host})`);
  return allowed;
}

/** Sends the request to one of the given addresses, whatever the name resolves to now. */
async function send(
  url: URL,
  addresses: readonly string[],
  { headers, signal }: FetchOptions,
): Promise<IncomingMessage> {
  const found = addresses.map((address) => ({ address, family: isIP(address) }));
  const [first = { address: '', family: 0 }] = found;
  const request = (url.protocol === 'https:' ? httpsRequest : httpRequest)(url, {
    agent: false,
    headers: { ...headers, 'accept-encoding': 'gzip, br' },
    ...(signal && { signal }),
    lookup: (_name, { all }, done) => {
      if (all) done(null, found);
      else done(null, first.address, first.family);
    },
  });
  request.end();
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  return response;
}

/** Other origins do not get the credentials of the first one. */
function headersFor(url: URL, start: URL, { headers }: FetchOptions): FetchOptions['headers'] {
  if (url.origin === start.origin) return headers;
  const { authorization: _, ...others } = headers;
  return others;
}

const redirectStatuses: readonly (number | undefined)[] = [301, 302, 303, 307, 308];

const locationOf = ({ statusCode, headers }: IncomingMessage): string | undefined =>
  redirectStatuses.includes(statusCode) ? headers.location : undefined;

function parseTarget(location: string, from: URL): URL {
  const target = URL.canParse(location, from.href) ? new URL(location, from) : undefined;
  if (target?.protocol === 'https:') return target;
  if (target?.protocol === 'http:' && from.protocol === 'http:') return target;
  throw new Error(`it redirects to ${target?.protocol ?? 'an invalid URL'}`);
}

function toDocument(response: IncomingMessage): FetchedDocument {
  const { statusCode: status = 0, headers } = response;
  const encoding = headers['content-encoding'];
  const decoder =
    encoding === 'gzip' || encoding === 'x-gzip'
      ? createGunzip()
      : encoding === 'br'
        ? createBrotliDecompress()
        : undefined;
  if (decoder === undefined) return { status, headers, body: response };
  // an error of either is an error of the decoder
  pipeline(response, decoder, () => undefined);
  return { status, headers, body: decoder };
}
