type ErrorMeaning = { readonly meaning: string; readonly action: string };

const WAIT = 'Wait for the time that the message names and call the tool again.';
const CHECK_ADDRESS = 'Check the address; discover and inspect find the right one.';
const OPERATOR = 'Tell the user: only the operator of the server can change this.';

/** What the public error codes of the API mean. Codes are added, never renamed. */
export const errorMeanings: Readonly<Record<string, ErrorMeaning>> = {
  INVALID_PATH: { meaning: 'A part of the path is invalid.', action: CHECK_ADDRESS },
  INVALID_QUERY: { meaning: 'A parameter is invalid.', action: 'Change what the message names.' },
  INVALID_BODY: {
    meaning: 'A field of the request is missing or invalid.',
    action: 'Change what the message names.',
  },
  INVALID_ADDRESS: { meaning: 'A string is not an address.', action: CHECK_ADDRESS },
  INVALID_DECIMAL: {
    meaning: 'The amount is no plain positive decimal number, or has more decimals than the token.',
    action: 'Write the amount in whole tokens, such as 12.5.',
  },
  UNKNOWN_CLUSTER: { meaning: 'The cluster is not served.', action: OPERATOR },
  UNKNOWN_API_KEY: {
    meaning: 'The API key is unknown or revoked.',
    action: 'Tell the user to set another key with --api-key or TIDEGATE_API_KEY.',
  },
  RATE_LIMITED: { meaning: 'The rate limit is used up.', action: WAIT },
  OVERLOADED: { meaning: 'Too many requests are being computed.', action: WAIT },
  TIMED_OUT: { meaning: 'The request took too long.', action: 'Ask for less, or retry later.' },
  CLUSTER_NOT_LOADED: { meaning: 'The server is still loading the cluster.', action: WAIT },
  TOKENS_NOT_LOADED: { meaning: 'The server is still loading the token list.', action: WAIT },
  STALE_READ: {
    meaning: 'The server has not reached the requested slot yet; older data is never returned.',
    action: WAIT,
  },
  SOURCE_UNAVAILABLE: { meaning: 'An endpoint does not answer.', action: 'Retry later.' },
  SOURCE_LAGS: { meaning: 'An endpoint is behind the requested slot.', action: 'Retry later.' },
  HISTORY_INCOMPLETE: {
    meaning:
      'The figure needs transactions that are not recorded yet. A partial figure would be wrong.',
    action: WAIT,
  },
  HISTORY_UNAVAILABLE: { meaning: 'The history cannot be read now.', action: WAIT },
  HISTORY_DISABLED: { meaning: 'The server does not record this history.', action: OPERATOR },
  POSITIONS_INCOMPLETE: { meaning: 'Positions are still being loaded.', action: WAIT },
  WITHDRAW_QUEUE_INCOMPLETE: { meaning: 'Some tickets of the queue are missing.', action: WAIT },
  ACCOUNT_UNREADABLE: {
    meaning: 'An account is in a format that this release does not know.',
    action: OPERATOR,
  },
  PRICE_UNAVAILABLE: {
    meaning: 'A token has no valid price, so no value or health can be computed.',
    action: 'Retry in a minute. Do not act on an older value.',
  },
  RPC_BUDGET_SPENT: { meaning: 'The endpoint budget of the day is used up.', action: WAIT },
  NOT_FOUND: { meaning: 'There is no such thing on this cluster.', action: CHECK_ADDRESS },
  ROUTE_NOT_FOUND: {
    meaning: 'The server does not have this operation.',
    action: 'Tell the user to check --url: the server may be another one or an older version.',
  },
  DECIMAL_TO_LAMPORTS_OVERFLOW: {
    meaning: 'The amount does not fit 64 bits.',
    action: 'Use a smaller amount; only repay and withdraw accept U64::MAX for everything.',
  },
  KLEND_MARKET_NOT_FOUND: { meaning: 'There is no such lending market.', action: CHECK_ADDRESS },
  KLEND_RESERVE_NOT_FOUND: {
    meaning: 'The market has no such reserve.',
    action: 'Use a reserve of this market; discover lists them.',
  },
  KLEND_OBLIGATION_NOT_FOUND: {
    meaning: 'The wallet has no loan in this market.',
    action: 'Deposit first, or use another market.',
  },
  KVAULT_NOT_FOUND: { meaning: 'There is no such vault.', action: CHECK_ADDRESS },
  KVAULT_NO_SHARES: {
    meaning: 'The wallet has no shares of the vault to withdraw.',
    action: 'Inspect the wallet to see its vaults.',
  },
  TRANSACTION_SIZE_ERROR: {
    meaning: 'The transaction would exceed 1232 bytes.',
    action: 'Split it: act on fewer positions at a time.',
  },
  INVALID_TRANSACTION: {
    meaning: 'The bytes are no transaction.',
    action: 'Pass the transaction of prepare unchanged, in base64.',
  },
  NOTHING_TO_BUILD: {
    meaning: 'The wallet has nothing of the kind, or less than the amount.',
    action: 'Inspect the wallet, and use an amount that it has.',
  },
  MALFORMED_DATA: {
    meaning: 'An answer does not have the documented form.',
    action: 'Tell the user to check --url: the server may be another one or another version.',
  },
  INVALID_TOOL_INPUT: {
    meaning: 'The input of the tool is invalid.',
    action: 'Change what the message names and call the tool again.',
  },
  INTERNAL: {
    meaning: 'The server failed.',
    action: 'Tell the user; the log of the server has the reason.',
  },
};

/** What to do about an error, by its code and the status of the answer. */
export function adviseOnError(code: string, status: number | undefined): string {
  const known = errorMeanings[code]?.action;
  if (known !== undefined) return known;
  if (status === 429 || status === 503) return WAIT;
  return status !== undefined && status < 500
    ? 'Change what the message names.'
    : 'Tell the user; the log of the server has the reason.';
}
