import { expect, test } from 'vitest';
import { readConfig } from './settings.ts';

test('without flags or environment variables all settings have their defaults', () => {
  const config = readConfig({}, {});
  expect(config).toMatchObject({
    host: '127.0.0.1',
    port: 8080,
    dataDir: '.tidegate',
    logLevel: 'info',
    logFormat: 'auto',
    rateLimit: {
      anonymous: { name: 'anonymous', quota: 600, windowSeconds: 60 },
      loopback: { name: 'loopback', quota: 600_000, windowSeconds: 60 },
    },
    strictStatuses: false,
    marketSegmentAliases: [],
    envAliases: [],
    legacyPaths: true,
    tokens: { kind: 'embedded' },
  });
  expect(config.trustedProxies.has('127.0.0.1')).toBe(false);
  expect(Object.isFrozen(config)).toBe(true);
});

test('a flag overrides the environment, and an empty value counts as not set', () => {
  expect(readConfig({ port: '1' }, { PORT: '2' }).port).toBe(1);
  expect(readConfig({}, { PORT: '2' }).port).toBe(2);
  expect(readConfig({}, { PORT: '' }).port).toBe(8080);
});

test('an explicit limit also applies to clients on this machine', () => {
  const set = { name: 'anonymous', quota: 5, windowSeconds: 10, field: '"anonymous";q=5;w=10' };
  expect(readConfig({}, { RATE_LIMIT: '5/10s' }).rateLimit).toMatchObject({
    anonymous: set,
    loopback: set,
  });
  expect(readConfig({}, { RATE_LIMIT: 'off' }).rateLimit).toBe('off');
});

test('a budget has calls, bytes or both, and a history mode is one of three', () => {
  expect(readConfig({}, {}).rpcBudget).toEqual({ value: undefined });
  expect(readConfig({}, { RPC_BUDGET: '10/s,2GB/day' }).rpcBudget).toEqual({
    value: { callsPerSecond: 10, bytesPerDay: 2_000_000_000 },
  });
  expect(readConfig({}, {}).historyMode).toBe('full');
  expect(readConfig({}, { HISTORY: 'events-on-demand' }).historyMode).toBe('events-on-demand');
});

test('lists may contain spaces and empty items', () => {
  const config = readConfig(
    {},
    { MARKET_SEGMENT_ALIASES: ' a, b,', TRUSTED_PROXIES: '::1, 10.0.0.0/8' },
  );
  expect(config.marketSegmentAliases).toEqual(['a', 'b']);
  expect(config.trustedProxies.has('10.9.9.9')).toBe(true);
});

test('token images come from any host over https, or from named ones', () => {
  const imagesOf = (text: string) => readConfig({}, { TOKEN_IMAGES: text }).tokenImages;
  expect(readConfig({}, {}).tokenImages).toEqual([]);
  expect(imagesOf('https:')).toEqual(['https:']);
  const hosts = 'https://cdn.example,https://img.example:8443';
  expect(imagesOf(hosts)).toEqual(hosts.split(','));
  for (const text of ["https://a.example; script-src 'unsafe-inline'", 'http://a.example', '*']) {
    expect(() => imagesOf(text), text).toThrow('TOKEN_IMAGES');
  }
});

test('the token source is the embedded list, a file or a URL', () => {
  expect(readConfig({}, { TOKENS: './x.json' }).tokens).toEqual({ kind: 'file', path: './x.json' });
  expect(readConfig({}, { TOKENS: 'https://h/x' }).tokens).toMatchObject({ kind: 'url' });
});

test.each([
  ['PORT', 'abc', 'a whole number from 0 to 65535'],
  ['PORT', '65536', 'a whole number from 0 to 65535'],
  ['PORT', '-1', 'a whole number from 0 to 65535'],
  ['HOST', 'a b', 'an IP address or a host name'],
  ['LOG_LEVEL', 'loud', 'debug, info, warn, error or silent'],
  ['HISTORY', 'some', 'full, events-on-demand or off'],
  ['RPC_BUDGET', '10/m', 'calls per second, bytes per day (MB, GB, TB), or both: 10/s,2GB/day'],
  ['LOG_FORMAT', 'xml', 'auto, pretty or json'],
  ['RATE_LIMIT', '10', 'auto, off or a limit such as 600/1m (units s, m, h)'],
  ['RATE_LIMIT_KEY', 'off', 'a limit such as 600/1m (units s, m, h)'],
  ['TRUSTED_PROXIES', '10.0.0.0/8,nope', 'a comma-separated list of IP addresses and CIDR ranges'],
  ['STRICT_STATUSES', 'yes', 'true or false'],
  ['LEGACY_PATHS', '1', 'true or false'],
  [
    'MARKET_SEGMENT_ALIASES',
    'a/b',
    'a comma-separated list of path segments that no other path uses',
  ],
  ...['kvaults', 'markets', 'reserves', 'prices', 'staking-yields'].map(
    (value): [string, string, string] => [
      'MARKET_SEGMENT_ALIASES',
      value,
      'a comma-separated list of path segments that no other path uses',
    ],
  ),
  ...['mainnet', 'mainnet-beta=x', 'mainnet-beta=', 'devnet=localnet=x', 'devnet,devnet'].map(
    (value): [string, string, string] => [
      'ENV_ALIASES',
      value,
      'a comma-separated list of cluster names (mainnet-beta, devnet, localnet) that are not served, each alone or with the served cluster, such as mainnet-beta=localnet',
    ],
  ),
  ['TOKENS', 'ftp://x', 'embedded, the path of a JSON file, or an http(s) URL'],
  ['TOKENS_POLL_SECONDS', '0', 'a whole number from 1 to 86400'],
])('%s=%s is rejected with the accepted values', (name, value, accepts) => {
  expect(() => readConfig({}, { [name]: value })).toThrow(
    `${name} is "${value}". It accepts ${accepts}.`,
  );
});
