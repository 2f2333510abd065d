export const openApiTags = [
  { name: 'tokens', description: 'The token catalogue' },
  { name: 'lending', description: 'Lending markets and their reserves' },
  { name: 'lending-users', description: 'Loans of wallets' },
  { name: 'earn', description: 'Earn vaults and their shares' },
  { name: 'earn-users', description: 'Vault shares of wallets' },
  { name: 'farms', description: 'Farms that reward stakes' },
  { name: 'portfolio', description: 'Everything that a wallet has' },
  { name: 'chain', description: 'Prices and slots' },
  { name: 'lookup-tables', description: 'Tables that make transactions shorter' },
  { name: 'builders', description: 'Transactions for wallets to sign' },
  { name: 'operations', description: 'Health, readiness, figures and this document' },
] as const;

export const API_DESCRIPTION = `A self-hostable HTTP/JSON API over Solana's lending and earn-vault programs.

**Limits.** Anonymous callers are counted by address (IPv6 by /64), keys by key, in a sliding window; what one
call costs is its \`x-rate-weight\`. \`RateLimit-Policy\` and \`RateLimit\` on every answer tell the quota, what
is left and when more comes back; 429 carries \`Retry-After\`. GET /status publishes the limits in force.

**Errors.** Bodies are \`{error, details?}\`, \`{metadata}\` for a listed 404, and
\`{statusCode, message, error, code?}\` under /ktx. \`accept: application/problem+json\` gets RFC 9457 instead.
\`x-request-id\` names the request in the server's log.`;
