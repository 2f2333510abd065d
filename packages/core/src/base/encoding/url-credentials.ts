import { encodeBase64 } from './base64.ts';
import { bytesFromText } from './bytes.ts';

/** A URL without credentials, and the headers that carry them. `fetch` rejects credentials in a URL. */
export type UrlWithHeaders = {
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
};

export function splitCredentials(urlWithCredentials: URL): UrlWithHeaders {
  const url = new URL(urlWithCredentials);
  url.username = '';
  url.password = '';
  const { username, password } = urlWithCredentials;
  if (username === '' && password === '') return { url, headers: {} };
  const pair = bytesFromText(`${decodePercentEscapes(username)}:${decodePercentEscapes(password)}`);
  return { url, headers: { authorization: `Basic ${encodeBase64(pair)}` } };
}

/** Returns the text unchanged if it contains an invalid escape. */
export function decodePercentEscapes(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
