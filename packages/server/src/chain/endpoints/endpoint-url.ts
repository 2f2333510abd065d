import { decodePercentEscapes, splitCredentials } from '@tidegate/core/base';

/** An address of a node; path, query and credentials of it may be keys. */
export type EndpointUrl = {
  readonly host: string;
  /** Without credentials, which are in the headers. */
  readonly href: string;
  readonly headers: Readonly<Record<string, string>>;
  /** What a node said, cut to one short line and without anything that could be this address' key. */
  redact(text: string): string;
};

const SHORTEST_SECRET = 6;
const LONGEST_TEXT = 160;

export function parseEndpointUrl(url: URL): EndpointUrl {
  const plain = splitCredentials(url);
  const secrets = secretsOf(url);
  return {
    host: url.host,
    href: plain.url.href,
    headers: plain.headers,
    redact(text) {
      const hidden = secrets.reduce((left, secret) => left.replaceAll(secret, '***'), text);
      return hidden.replaceAll(/\s+/g, ' ').trim().slice(0, LONGEST_TEXT);
    },
  };
}

/** Longest first, so that none leaves a part of another behind. */
function secretsOf(url: URL): string[] {
  const parts = [
    ...url.pathname.split('/'),
    ...url.searchParams.values(),
    url.search.slice(1),
    url.username,
    url.password,
  ];
  return [...parts, ...parts.map(decodePercentEscapes)]
    .filter((part) => part.length >= SHORTEST_SECRET)
    .sort((a, b) => b.length - a.length);
}
