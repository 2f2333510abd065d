import { defineSetting } from './define-setting.ts';

/** The server that `tidegate hooks` and `tidegate mcp` call. */
export const calledServerSettings = {
  tidegateUrl: defineSetting({
    env: 'TIDEGATE_URL',
    default: 'http://127.0.0.1:8080',
    accepts: 'an http(s) URL',
    description: 'Address of the server that `tidegate hooks` and `tidegate mcp` call.',
    parse: (text) => (/^https?:/i.test(text) && URL.canParse(text) ? new URL(text) : undefined),
  }),
  tidegateApiKey: defineSetting({
    env: 'TIDEGATE_API_KEY',
    default: '',
    accepts: 'a key of `tidegate keys create`',
    description: 'API key that they send to it. A server does not use it.',
    parse: (text) => (/^[\x21-\x7e]*$/.test(text) ? text : undefined),
  }),
};
