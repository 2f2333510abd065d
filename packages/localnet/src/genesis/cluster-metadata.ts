import type { Address } from '@tidegate/core/base';
import { KLEND_PROGRAM, obligationAddress } from '@tidegate/core/protocol/klend';
import type { MarketListing } from '@tidegate/core/views/lending';
import type { Season } from '@tidegate/core/views/rewards';
import { genesisTableAddress } from './accounts/lookup-table-accounts.ts';
import { marketAddress, marketOwnerAddress, reserveAddress } from './accounts/market.ts';
import { oraclePricesAddress } from './accounts/oracle.ts';
import { isStakePoolToken, stakePoolAddress } from './accounts/stake-pools.ts';
import { vaultAddress } from './accounts/vault.ts';
import { createGenesisSeason } from './genesis-season.ts';
import type { GenesisState } from './genesis-state.ts';
import type { SeededKeys } from './seed/seeded-keys.ts';
import { MARKET_SPECS } from './specs/market-specs.ts';
import { TOKEN_SYMBOLS, tokenBySymbol } from './specs/token-specs.ts';
import { VAULT_SPECS } from './specs/vault-specs.ts';
import { DEMO_WALLET_INDEX, walletAddress, walletAddresses } from './wallets.ts';

/** Where a newcomer can start: a wallet with loans, its Vanilla loan in `market` with a deposit and a debt, a vault it has shares of. */
type DemoFacts = DemoActs & {
  readonly wallet: Address;
  readonly market: Address;
  readonly vault: Address;
  readonly obligation: Address;
};

/** What that loan can do next, in any order and several times: small beside what the wallet has. */
type DemoActs = {
  readonly [Act in keyof typeof DEMO_ACTS]: { readonly reserve: Address; readonly amount: string };
};

/** In whole tokens. A wallet has 0.02 SOL or more, and a deposit of SOL needs rent for a moment. */
const DEMO_ACTS = {
  deposit: { symbol: 'SOL', amount: '0.01' },
  borrow: { symbol: 'USDC', amount: '25' },
  repay: { symbol: 'USDC', amount: '10' },
  withdraw: { symbol: 'SOL', amount: '0.5' },
} as const;

/** What of the cluster no account says. */
export type ClusterMetadata = {
  readonly markets: readonly MarketListing[];
  readonly vaults: readonly { readonly address: Address; readonly name: string }[];
  readonly wallets: readonly Address[];
  readonly demo: DemoFacts;
  /** Stake pool by the mint of its token. */
  readonly stakePools: ReadonlyMap<Address, Address>;
  /** Ticker by mint. */
  readonly tokens: ReadonlyMap<Address, string>;
  readonly privateCreditVaults: ReadonlySet<Address>;
  readonly seasons: readonly Season[];
  readonly oracle: OracleFacts;
};

type OracleFacts = {
  readonly prices: Address;
  /** The place of each price in the feed. A stake rate is in SOL and moves with its pool, any other price is in USD. */
  readonly entries: readonly {
    readonly index: number;
    readonly symbol: string;
    readonly kind: 'price' | 'stake rate';
  }[];
};

export function clusterMetadata({
  keys,
  founded,
  days,
}: Pick<GenesisState, 'keys' | 'founded' | 'days'>): ClusterMetadata {
  const wallet = walletAddress(keys, DEMO_WALLET_INDEX);
  const market = marketAddress(keys, 'main');
  const staked = TOKEN_SYMBOLS.filter(isStakePoolToken);
  const credit = VAULT_SPECS.filter(({ isPrivateCredit }) => isPrivateCredit === true);
  return {
    markets: MARKET_SPECS.map(({ key, name, description, isPrimary, isCurated }) => ({
      address: marketAddress(keys, key),
      programId: KLEND_PROGRAM,
      name,
      description,
      isPrimary,
      isCurated,
      lookupTable: genesisTableAddress(marketOwnerAddress(keys, key), founded),
    })),
    vaults: VAULT_SPECS.map(({ key, name }) => ({ address: vaultAddress(keys, key), name })),
    wallets: walletAddresses(keys),
    demo: {
      wallet,
      market,
      vault: vaultAddress(keys, 'prime'),
      obligation: obligationAddress({ kind: 'vanilla', owner: wallet, lendingMarket: market }),
      deposit: demoAct(keys, 'deposit'),
      borrow: demoAct(keys, 'borrow'),
      repay: demoAct(keys, 'repay'),
      withdraw: demoAct(keys, 'withdraw'),
    },
    stakePools: new Map(
      staked.map((symbol) => [tokenBySymbol(symbol).mint, stakePoolAddress(keys, symbol)]),
    ),
    tokens: new Map(TOKEN_SYMBOLS.map((symbol) => [tokenBySymbol(symbol).mint, symbol])),
    privateCreditVaults: new Set(credit.map(({ key }) => vaultAddress(keys, key))),
    seasons: [createGenesisSeason(keys, { founded, days })],
    oracle: {
      prices: oraclePricesAddress(keys),
      entries: TOKEN_SYMBOLS.map((symbol, index) => ({
        index,
        symbol,
        kind: isStakePoolToken(symbol) ? 'stake rate' : 'price',
      })),
    },
  };
}

function demoAct(keys: SeededKeys, act: keyof typeof DEMO_ACTS): DemoActs[keyof DemoActs] {
  const { symbol, amount } = DEMO_ACTS[act];
  return { reserve: reserveAddress(keys, 'main', symbol), amount };
}
