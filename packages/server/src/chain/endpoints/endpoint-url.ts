import { decodePercentEscapes, splitCredentials } from '@tidegate/core/base';

/** A node's URL. Its path, query and credentials may contain API keys. */
export type EndpointUrl = {
  readonly host: string;
  /** Without credentials, which are sent as headers. */
  readonly href: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Shortens a message of the node to one line and removes anything that may be an API key of this URL. */
  redact(text: string): string;
};

const MIN_SECRET_LENGTH = 6;
const MAX_TEXT_LENGTH = 160;

export function parseEndpointUrl(url: URL): EndpointUrl {
  const plain = splitCredentials(url);
  const secrets = secretsOf(url);
  return {
    host: url.host,
    href: plain.url.href,
    headers: plain.headers,
    redact(text) {
      const redacted = secrets.reduce((rest, secret) => rest.replaceAll(secret, '***'), text);
      return redacted.replaceAll(/\s+/g, ' ').trim().slice(0, MAX_TEXT_LENGTH);
    },
  };
}

/** Longest first, so that replacing one leaves no part of another. */
function secretsOf(url: URL): string[] {
  const parts = [
    ...url.pathname.split('/'),
    ...url.searchParams.values(),
    url.search.slice(1),
    url.username,
    url.password,
  ];
  return [...parts, ...parts.map(decodePercentEscapes)]
    .filter((part) => part.length >= MIN_SECRET_LENGTH)
    .sort((a, b) => b.length - a.length);
}
