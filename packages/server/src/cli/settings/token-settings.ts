import { parseTokenFormat, tokenFormats } from '../../registry/token-format.ts';
import { defineSetting } from './define-setting.ts';
import { parseImageSources, parseInteger, parseTokenListLocation } from './setting-parsers.ts';

/** The source of the token catalogue. */
export const tokenSettings = {
  tokens: defineSetting({
    env: 'TOKENS',
    default: 'embedded',
    accepts: 'embedded, the path of a JSON file, or an http(s) URL',
    description:
      'Source of the token catalogue. A file or URL is polled. `embedded` uses the tokens of the registry. Volume and market cap come from the list, on a localnet from the cluster.',
    parse: parseTokenListLocation,
  }),
  tokensFormat: defineSetting({
    env: 'TOKENS_FORMAT',
    default: 'tidegate',
    accepts: `${Object.keys(tokenFormats).join(', ')}, or pairs such as mint=address,logoUrl=logoURI`,
    description: 'Format of that list: a known format, or a mapping of fields.',
    parse: parseTokenFormat,
  }),
  tokensPollSeconds: defineSetting({
    env: 'TOKENS_POLL_SECONDS',
    default: '300',
    accepts: 'a whole number from 1 to 86400',
    description: 'Seconds between two polls of that list.',
    parse: (text) => parseInteger(text, 1, 86_400),
  }),
  tokenImages: defineSetting({
    env: 'TOKEN_IMAGES',
    default: '',
    accepts:
      '`https:` for any host, or a comma-separated list of origins such as https://cdn.example',
    description:
      'Hosts from which the browser loads the token images of the explorer (`logoUrl` of the catalogue); they see who looks. By default none: tokens have letters.',
    parse: parseImageSources,
  }),
};
