import { encodeBase64 } from './base64.ts';
import { bytesFromText } from './bytes.ts';

/** A URL as `fetch` takes it: credentials in a header, not in the address. */
export type UrlWithHeaders = {
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
};

export function splitCredentials(given: URL): UrlWithHeaders {
  const url = new URL(given);
  url.username = '';
  url.password = '';
  const { username, password } = given;
  if (username === '' && password === '') return { url, headers: {} };
  const pair = bytesFromText(`${decodePercentEscapes(username)}:${decodePercentEscapes(password)}`);
  return { url, headers: { authorization: `Basic ${encodeBase64(pair)}` } };
}

/** A lone % is no escape. */
export function decodePercentEscapes(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
