import type { Address } from '@tidegate/core/base';
import { KLEND_PROGRAM, obligationAddress } from '@tidegate/core/protocol/klend';
import type { MarketListing } from '@tidegate/core/views/lending';
import type { Season } from '@tidegate/core/views/rewards';
import { genesisTableAddress } from './accounts/lookup-table-accounts.ts';
import { marketAddress, marketOwnerAddress, reserveAddress } from './accounts/market.ts';
import { oraclePricesAddress } from './accounts/oracle.ts';
import { isMarketPriced, isStakePoolToken, stakePoolAddress } from './accounts/stake-pools.ts';
import { vaultAddress } from './accounts/vault.ts';
import { createGenesisSeasons } from './genesis-seasons.ts';
import type { GenesisState } from './genesis-state.ts';
import type { SeededKeys } from './seed/seeded-keys.ts';
import { MARKET_SPECS } from './specs/market-specs.ts';
import { TOKEN_SYMBOLS, type TokenSymbol, tokenBySymbol } from './specs/token-specs.ts';
import { VAULT_SPECS } from './specs/vault-specs.ts';
import { DEMO_WALLET_INDEX, walletAddress, walletAddresses } from './wallets.ts';

/**
 * Demo positions: a wallet with loans, its vanilla loan in `market` with a deposit and a debt, and
 * a vault that it holds shares of.
 */
type DemoPositions = DemoActions & {
  readonly wallet: Address;
  readonly market: Address;
  readonly vault: Address;
  readonly obligation: Address;
  /** A deposit that the wallet can afford; `amount` in whole tokens. */
  readonly vaultDeposit: { readonly kvault: Address; readonly amount: string };
};

/**
 * Actions that the demo loan allows in any order and repeatedly: small compared to the wallet's
 * balances.
 */
type DemoActions = {
  readonly [Action in keyof typeof DEMO_ACTIONS]: {
    readonly reserve: Address;
    readonly amount: string;
  };
};

/** In whole tokens. A wallet has at least 0.02 SOL, and depositing SOL needs rent temporarily. */
const DEMO_ACTIONS = {
  deposit: { symbol: 'SOL', amount: '0.01' },
  borrow: { symbol: 'USDC', amount: '25' },
  repay: { symbol: 'USDC', amount: '10' },
  withdraw: { symbol: 'SOL', amount: '0.5' },
} as const;

/** In USDC. */
const DEMO_VAULT_DEPOSIT = '10';

/** Cluster metadata that is not on chain. */
export type ClusterMetadata = {
  readonly markets: readonly MarketListing[];
  readonly vaults: readonly { readonly address: Address; readonly name: string }[];
  readonly wallets: readonly Address[];
  readonly demo: DemoPositions;
  /** Stake pool by token mint. */
  readonly stakePools: ReadonlyMap<Address, Address>;
  /** Ticker by mint. */
  readonly tokens: ReadonlyMap<Address, string>;
  readonly privateCreditVaults: ReadonlySet<Address>;
  readonly seasons: readonly Season[];
  readonly oracle: OracleEntries;
};

type OracleEntries = {
  readonly prices: Address;
  /**
   * Index of each entry in the feed. A stake rate is in SOL and moves with its pool, a market rate
   * is the market price of a staked token in SOL, and other prices are in USD.
   */
  readonly entries: readonly {
    readonly index: number;
    readonly symbol: string;
    readonly kind: 'price' | 'stake rate' | 'market rate';
  }[];
};

export function clusterMetadata({
  keys,
  startTime,
  days,
}: Pick<GenesisState, 'keys' | 'startTime' | 'days'>): ClusterMetadata {
  const wallet = walletAddress(keys, DEMO_WALLET_INDEX);
  const market = marketAddress(keys, 'main');
  const vault = vaultAddress(keys, 'prime');
  const stakePoolTokens = TOKEN_SYMBOLS.filter(isStakePoolToken);
  const privateCreditVaults = VAULT_SPECS.filter(({ isPrivateCredit }) => isPrivateCredit === true);
  return {
    markets: MARKET_SPECS.map(({ key, name, description, isPrimary, isCurated }) => ({
      address: marketAddress(keys, key),
      programId: KLEND_PROGRAM,
      name,
      description,
      isPrimary,
      isCurated,
      lookupTable: genesisTableAddress(marketOwnerAddress(keys, key), startTime),
    })),
    vaults: VAULT_SPECS.map(({ key, name }) => ({ address: vaultAddress(keys, key), name })),
    wallets: walletAddresses(keys),
    demo: {
      wallet,
      market,
      vault,
      obligation: obligationAddress({ kind: 'vanilla', owner: wallet, lendingMarket: market }),
      deposit: demoAction(keys, 'deposit'),
      borrow: demoAction(keys, 'borrow'),
      repay: demoAction(keys, 'repay'),
      withdraw: demoAction(keys, 'withdraw'),
      vaultDeposit: { kvault: vault, amount: DEMO_VAULT_DEPOSIT },
    },
    stakePools: new Map(
      stakePoolTokens.map((symbol) => [tokenBySymbol(symbol).mint, stakePoolAddress(keys, symbol)]),
    ),
    tokens: new Map(TOKEN_SYMBOLS.map((symbol) => [tokenBySymbol(symbol).mint, symbol])),
    privateCreditVaults: new Set(privateCreditVaults.map(({ key }) => vaultAddress(keys, key))),
    seasons: createGenesisSeasons(keys, { startTime, days }),
    oracle: {
      prices: oraclePricesAddress(keys),
      entries: TOKEN_SYMBOLS.map((symbol, index) => ({
        index,
        symbol,
        kind: entryKind(symbol),
      })),
    },
  };
}

function entryKind(symbol: TokenSymbol): OracleEntries['entries'][number]['kind'] {
  if (!isStakePoolToken(symbol)) return 'price';
  return isMarketPriced(symbol) ? 'market rate' : 'stake rate';
}

function demoAction(
  keys: SeededKeys,
  action: keyof typeof DEMO_ACTIONS,
): DemoActions[keyof DemoActions] {
  const { symbol, amount } = DEMO_ACTIONS[action];
  return { reserve: reserveAddress(keys, 'main', symbol), amount };
}
