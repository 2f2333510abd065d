import type { MarketKey, RewardSpec } from './market-specs.ts';
import type { TokenSymbol } from './token-specs.ts';

export type AllocationSpec = {
  readonly market: MarketKey;
  readonly weight: bigint;
  /** In whole tokens; undefined means no cap. */
  readonly cap?: bigint;
};

export type VaultKey =
  | 'prime'
  | 'lighthouse'
  | 'reef'
  | 'credit'
  | 'keel'
  | 'empty'
  | 'pilot'
  | 'basin'
  | 'ferry';

export type VaultSpec = {
  readonly key: VaultKey;
  readonly name: string;
  readonly symbol: TokenSymbol;
  readonly sharesDecimals: number;
  readonly performanceFeeBps: bigint;
  readonly managementFeeBps: bigint;
  readonly unallocatedWeight: bigint;
  /** Smallest amounts in lamports: 1,000, 10 and 1,000 by default. */
  readonly minimums?: {
    readonly deposit: bigint;
    readonly withdraw: bigint;
    readonly invest: bigint;
  };
  readonly minInvestDelaySlots?: bigint;
  /** Part of a withdrawal that the vault keeps. */
  readonly withdrawalPenaltyBps?: bigint;
  /** Lamports that each deposit adds to the crank fund per reserve. */
  readonly crankFundFeePerReserve: bigint;
  readonly allocations: readonly AllocationSpec[];
  /** Deposits are accepted up to this many whole tokens. No cap by default. */
  readonly depositCap?: bigint;
  /** Whether its permissioning authority must sign what users do. */
  readonly isPermissioned?: true;
  readonly farm?: RewardSpec;
  readonly isPrivateCredit?: true;
};

export const VAULT_SPECS: readonly VaultSpec[] = [
  {
    key: 'prime',
    name: 'Harbor USDC Prime',
    symbol: 'USDC',
    sharesDecimals: 6,
    performanceFeeBps: 1_000n,
    managementFeeBps: 25n,
    unallocatedWeight: 5n,
    crankFundFeePerReserve: 2n,
    allocations: [
      { market: 'main', weight: 65n },
      { market: 'jlp', weight: 30n, cap: 2_000_000n },
    ],
    farm: { symbol: 'KMNO', perDay: 4_000n },
  },
  {
    key: 'lighthouse',
    name: 'Lighthouse SOL',
    symbol: 'SOL',
    sharesDecimals: 9,
    performanceFeeBps: 1_500n,
    managementFeeBps: 0n,
    unallocatedWeight: 0n,
    crankFundFeePerReserve: 0n,
    allocations: [
      { market: 'main', weight: 80n },
      { market: 'jlp', weight: 20n },
    ],
    farm: { symbol: 'PYUSD', perDay: 60n },
  },
  {
    key: 'reef',
    name: 'Reef PYUSD',
    symbol: 'PYUSD',
    sharesDecimals: 6,
    performanceFeeBps: 500n,
    managementFeeBps: 10n,
    unallocatedWeight: 10n,
    crankFundFeePerReserve: 0n,
    allocations: [{ market: 'main', weight: 90n }],
  },
  {
    key: 'credit',
    name: 'Breakwater Bitcoin Credit',
    symbol: 'USDC',
    sharesDecimals: 6,
    performanceFeeBps: 1_000n,
    managementFeeBps: 50n,
    unallocatedWeight: 0n,
    crankFundFeePerReserve: 1n,
    allocations: [{ market: 'bitcoin', weight: 100n }],
    isPrivateCredit: true,
  },
  {
    key: 'keel',
    name: 'Keel cbBTC',
    symbol: 'cbBTC',
    sharesDecimals: 8,
    performanceFeeBps: 0n,
    managementFeeBps: 0n,
    unallocatedWeight: 20n,
    withdrawalPenaltyBps: 10n,
    minimums: { deposit: 100n, withdraw: 5n, invest: 500n },
    minInvestDelaySlots: 300n,
    crankFundFeePerReserve: 0n,
    allocations: [
      { market: 'main', weight: 60n },
      { market: 'bitcoin', weight: 20n },
    ],
  },
  {
    key: 'empty',
    name: 'Slipway USDT',
    symbol: 'USDT',
    sharesDecimals: 6,
    performanceFeeBps: 1_000n,
    managementFeeBps: 0n,
    unallocatedWeight: 0n,
    crankFundFeePerReserve: 0n,
    allocations: [{ market: 'main', weight: 100n }],
  },
  {
    key: 'pilot',
    name: 'Pilot House USDC',
    symbol: 'USDC',
    sharesDecimals: 6,
    performanceFeeBps: 800n,
    managementFeeBps: 0n,
    unallocatedWeight: 0n,
    crankFundFeePerReserve: 0n,
    isPermissioned: true,
    allocations: [{ market: 'main', weight: 100n }],
  },
  {
    key: 'basin',
    name: 'Basin USDC',
    symbol: 'USDC',
    sharesDecimals: 6,
    performanceFeeBps: 500n,
    managementFeeBps: 0n,
    unallocatedWeight: 0n,
    crankFundFeePerReserve: 1n,
    depositCap: 50_000n,
    allocations: [
      { market: 'main', weight: 50n },
      { market: 'jlp', weight: 50n },
    ],
  },
  {
    key: 'ferry',
    name: 'Ferry PYUSD',
    symbol: 'PYUSD',
    sharesDecimals: 6,
    performanceFeeBps: 1_000n,
    managementFeeBps: 0n,
    unallocatedWeight: 0n,
    crankFundFeePerReserve: 0n,
    allocations: [{ market: 'main', weight: 100n }],
  },
];
