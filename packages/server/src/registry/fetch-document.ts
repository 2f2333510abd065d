import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { pipeline, type Readable } from 'node:stream';
import { createBrotliDecompress, createGunzip } from 'node:zlib';
import {
  type Network,
  resolveAddresses,
  sendToAddresses,
  systemNetwork,
} from './pinned-request.ts';

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
    const response = await sendToAddresses(url, addresses, {
      headers: { ...headersFor(url, start, options), 'accept-encoding': 'gzip, br' },
      ...(options.signal && { signal: options.signal }),
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
  url: URL,
  network: Network,
  isFromPublic: boolean,
): Promise<readonly string[]> {
  const addresses = await resolveAddresses(url, network);
  if (!isFromPublic) return addresses;
  const allowed = addresses.filter((address) => !network.isPrivate(address));
  if (allowed.length === 0) throw new Error(`it redirects to a private address (${url.host})`);
  return allowed;
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
