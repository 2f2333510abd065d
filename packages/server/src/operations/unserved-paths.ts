const OTHER_PRODUCT = 'another product, of programs that are not read here';

/** Paths of the hosted API's documents that are not served, and why. */
export const unservedOperations: Readonly<Record<string, string>> = {
  'GET /yields/{yieldSource}/history':
    'the sources of these yields are outside of the chain; staking yields are at `/v2/staking-yields`',
  'GET /yields/principal-tokens': 'the yields of principal tokens come from another protocol',
  'GET /v2/airdrop/metrics': 'allocations of airdrops are not on chain',
  'GET /season-rewards/final-vesting-pool': 'forfeited rewards are not on chain',
  'GET /benchmark-rates/usd': 'the rate is computed from other protocols',
  'GET /kvaults/private-credit/metrics':
    'it reports single loans with a liquidation status; no document says which loans these are and what the statuses mean, and the registry only marks vaults',
  'GET /kvaults/private-credit/metrics/history':
    'the history of the loans of `/kvaults/private-credit/metrics`, which are not defined',
  'POST /luts/managed/new-vault':
    'lookup tables come from the registry and the accounts of vaults, nobody registers them by HTTP',
};

/** Paths that clients call although no document has them, and why they are not served. */
export const unservedPaths: Readonly<Record<string, string>> = {
  'GET /staking-yields': 'replaced by `/v2/staking-yields`, which has the mints without symbols',
  'GET /staking-rates/tokens/{mint}/history':
    'rates every five minutes are not recorded; yields per epoch are at `/staking-yields/tokens/{mint}/history`',
  'GET /yields/usds-rewards': 'the rewards are paid by another protocol',
  'GET /tokens': 'its fields are those of a token list; tokens are at `/tokens-api/tokens`',
  'GET /svc-market/{marketPubkey}/users/{userPubkey}/interest-fees':
    'fees per loan are at `/v2/svc-market/{marketPubkey}/obligations/{obligationPubkey}/interest-fees`',
  'GET /kvaults/{vault}/allocation-transactions':
    'transactions of a vault are at `POST /kvaults/vaults/{pubkey}/transactions`',
  'GET /strategies': `${OTHER_PRODUCT}: automated liquidity`,
  'GET /kswap': `${OTHER_PRODUCT}: swaps`,
  'GET /limo': `${OTHER_PRODUCT}: limit orders`,
  'GET /points': 'points are not on chain',
};

/** Of which every path is another product. */
const PRODUCTS = ['/strategies', '/kswap', '/limo', '/points'];

/** Creates a function that says why a routed path of the hosted API is not served; undefined for other paths. */
export function createUnservedReasons(): (path: string) => string | undefined {
  const rows = Object.entries({ ...unservedOperations, ...unservedPaths }).map(([key, reason]) => {
    const path = key.slice(key.indexOf(' ') + 1);
    const end = PRODUCTS.includes(path) ? '(?:/.*)?' : '/?';
    const pattern = new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/]+')}${end}$`);
    return { pattern, reason: reason.replaceAll('`', '') };
  });
  return (path) => rows.find(({ pattern }) => pattern.test(path))?.reason;
}
