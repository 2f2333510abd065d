/** Version of the HTTP API, not of the package. */
export const API_VERSION = '1.0.0';

export const openApiTags = [
  { name: 'tokens', description: 'Token catalogue' },
  { name: 'lending', description: 'Lending markets and their reserves' },
  { name: 'lending-users', description: 'Loans of wallets' },
  { name: 'earn', description: 'Earn vaults and their shares' },
  { name: 'earn-users', description: 'Vault positions of wallets' },
  { name: 'farms', description: 'Farms with staking rewards' },
  { name: 'season', description: 'Season rewards, staking boosts and airdrops' },
  { name: 'portfolio', description: 'All positions of a wallet' },
  { name: 'chain', description: 'Prices and slots' },
  { name: 'lookup-tables', description: 'Address lookup tables for transactions' },
  { name: 'builders', description: 'Unsigned transactions for wallets' },
  {
    name: 'webhooks',
    description: 'Signed notifications of crossings, liquidations and transactions',
  },
  { name: 'operations', description: 'Health, readiness, metrics and this document' },
] as const;

export const API_DESCRIPTION = `A self-hostable HTTP/JSON API over Solana's lending and earn-vault programs.

**Rate limits.** A sliding window counts requests per API key, or per address without a key (IPv6: per /64).
\`x-rate-weight\` is the cost of one call. Every response has \`RateLimit-Policy\` and \`RateLimit\` with the quota, the
remaining units and the time until more are available; 429 has \`Retry-After\`. GET /status lists the active limits.

**Errors.** Bodies are \`{error, details?}\`, \`{metadata}\` for a documented 404, and
\`{statusCode, message, error, code?}\` under /ktx. \`accept: application/problem+json\` returns RFC 9457 instead.
\`x-request-id\` identifies the request in the server log.`;
