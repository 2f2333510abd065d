import { readFileSync } from 'node:fs';

/** The version in `package.json`, three folders up from `src` and from `dist`. */
export function readPackageVersion(): string {
  const text = readFileSync(new URL('../../../package.json', import.meta.url), 'utf8');
  const manifest: unknown = JSON.parse(text);
  const version =
    typeof manifest === 'object' && manifest !== null && 'version' in manifest
      ? manifest.version
      : undefined;
  return typeof version === 'string' ? version : '0.0.0';
}
