import type { InterestRateBasis } from '@tidegate/core/protocol/klend/math';
import type { TokenSymbol } from './token-specs.ts';

/** Utilization in percent and annual rate in basis points. */
type Curve = readonly (readonly [utilizationPct: number, rateBps: number])[];

export type ReserveSpec = {
  readonly symbol: TokenSymbol;
  readonly loanToValuePct: number;
  readonly liquidationThresholdPct: number;
  readonly borrowFactorPct: bigint;
  readonly curve: Curve;
  /** In whole tokens, like the other limits. */
  readonly depositLimit: bigint;
  readonly borrowLimit: bigint;
  /** Withdrawal cap per day. */
  readonly dailyCap?: bigint;
  /** Debts are for this time, at the first rate of the curve. Open-ended by default. */
  readonly debtTermDays?: bigint;
  readonly elevationGroups?: readonly number[];
  /** Whether interest is charged per slot, the default, or per second. Releases before 1.25 charge all per slot. */
  readonly interestRateBasis?: InterestRateBasis;
  readonly takeRatePct?: number;
  readonly hostRateBps?: number;
  readonly originationFeeBps?: bigint;
  readonly flashLoanFeeBps?: bigint;
  readonly liquidationBonusBps?: { readonly min: number; readonly max: number };
  readonly rewards?: { readonly collateral?: RewardSpec; readonly debt?: RewardSpec };
};

/** Daily reward of a farm, in whole tokens for all stakes together. */
export type RewardSpec = { readonly symbol: TokenSymbol; readonly perDay: bigint };

type GroupSpec = {
  readonly id: number;
  readonly debt: TokenSymbol;
  readonly ltvPct: number;
  readonly liquidationThresholdPct: number;
  readonly maxReservesAsCollateral: number;
};

export type MarketKey = 'main' | 'jlp' | 'bitcoin';

export type MarketSpec = {
  readonly key: MarketKey;
  readonly name: string;
  readonly description: string;
  readonly isPrimary: boolean;
  readonly isCurated: boolean;
  /** Withdrawals wait in a queue while a reserve lacks liquidity. */
  readonly hasWithdrawQueue?: true;
  /** Largest part of a debt that one liquidation repays. */
  readonly closeFactorPct?: number;
  readonly groups: readonly GroupSpec[];
  readonly reserves: readonly ReserveSpec[];
};

const STABLE: Curve = [
  [0, 0],
  [50, 280],
  [80, 520],
  [90, 700],
  [95, 1_500],
  [100, 4_500],
];
const NATIVE: Curve = [
  [0, 50],
  [40, 310],
  [75, 640],
  [90, 1_200],
  [100, 8_000],
];
const VOLATILE: Curve = [
  [0, 100],
  [45, 900],
  [70, 2_000],
  [100, 12_000],
];

const FIXED: Curve = [
  [0, 650],
  [100, 650],
];

const main: MarketSpec = {
  key: 'main',
  name: 'Main Market',
  description: 'Pooled market for the assets that most people hold',
  isPrimary: true,
  isCurated: false,
  groups: [
    { id: 1, debt: 'SOL', ltvPct: 90, liquidationThresholdPct: 93, maxReservesAsCollateral: 2 },
    { id: 2, debt: 'USDC', ltvPct: 92, liquidationThresholdPct: 95, maxReservesAsCollateral: 2 },
  ],
  reserves: [
    {
      symbol: 'SOL',
      loanToValuePct: 75,
      liquidationThresholdPct: 80,
      borrowFactorPct: 125n,
      curve: NATIVE,
      depositLimit: 400_000n,
      borrowLimit: 300_000n,
      dailyCap: 60_000n,
      elevationGroups: [1],
      originationFeeBps: 1n,
    },
    {
      symbol: 'USDC',
      loanToValuePct: 80,
      liquidationThresholdPct: 85,
      borrowFactorPct: 100n,
      curve: STABLE,
      depositLimit: 60_000_000n,
      borrowLimit: 50_000_000n,
      dailyCap: 8_000_000n,
      elevationGroups: [2],
      rewards: {
        collateral: { symbol: 'KMNO', perDay: 9_000n },
        debt: { symbol: 'KMNO', perDay: 2_500n },
      },
    },
    {
      symbol: 'USDT',
      loanToValuePct: 78,
      liquidationThresholdPct: 84,
      borrowFactorPct: 100n,
      curve: STABLE,
      depositLimit: 20_000_000n,
      borrowLimit: 16_000_000n,
      elevationGroups: [2],
    },
    {
      symbol: 'PYUSD',
      loanToValuePct: 78,
      liquidationThresholdPct: 84,
      borrowFactorPct: 100n,
      curve: STABLE,
      depositLimit: 15_000_000n,
      borrowLimit: 12_000_000n,
      elevationGroups: [2],
      rewards: { collateral: { symbol: 'PYUSD', perDay: 120n } },
    },
    {
      symbol: 'JitoSOL',
      loanToValuePct: 72,
      liquidationThresholdPct: 78,
      borrowFactorPct: 140n,
      curve: VOLATILE,
      depositLimit: 120_000n,
      borrowLimit: 20_000n,
      elevationGroups: [1],
      rewards: { collateral: { symbol: 'KMNO', perDay: 6_000n } },
    },
    {
      symbol: 'bSOL',
      loanToValuePct: 68,
      liquidationThresholdPct: 75,
      borrowFactorPct: 150n,
      curve: VOLATILE,
      depositLimit: 40_000n,
      borrowLimit: 4_000n,
      dailyCap: 1_200n,
      elevationGroups: [1],
    },
    {
      symbol: 'cbBTC',
      loanToValuePct: 70,
      liquidationThresholdPct: 76,
      borrowFactorPct: 125n,
      curve: VOLATILE,
      depositLimit: 300n,
      borrowLimit: 80n,
      dailyCap: 60n,
    },
    {
      symbol: 'JLP',
      loanToValuePct: 60,
      liquidationThresholdPct: 70,
      borrowFactorPct: 160n,
      curve: VOLATILE,
      depositLimit: 2_000_000n,
      borrowLimit: 0n,
    },
    {
      symbol: 'wETH',
      loanToValuePct: 70,
      liquidationThresholdPct: 76,
      borrowFactorPct: 130n,
      curve: VOLATILE,
      depositLimit: 6_000n,
      borrowLimit: 2_500n,
    },
    {
      symbol: 'KMNO',
      loanToValuePct: 35,
      liquidationThresholdPct: 50,
      borrowFactorPct: 200n,
      curve: VOLATILE,
      depositLimit: 90_000_000n,
      borrowLimit: 10_000_000n,
    },
  ],
};

const jlp: MarketSpec = {
  key: 'jlp',
  name: 'JLP Market',
  description: 'Loans against the liquidity token of the perpetuals exchange',
  isPrimary: false,
  isCurated: true,
  groups: [
    { id: 1, debt: 'USDC', ltvPct: 80, liquidationThresholdPct: 85, maxReservesAsCollateral: 1 },
  ],
  reserves: [
    {
      symbol: 'JLP',
      loanToValuePct: 70,
      liquidationThresholdPct: 78,
      borrowFactorPct: 160n,
      curve: VOLATILE,
      depositLimit: 5_000_000n,
      borrowLimit: 0n,
      elevationGroups: [1],
      rewards: { collateral: { symbol: 'KMNO', perDay: 3_000n } },
    },
    {
      symbol: 'USDC',
      loanToValuePct: 0,
      liquidationThresholdPct: 0,
      borrowFactorPct: 100n,
      curve: STABLE,
      depositLimit: 20_000_000n,
      borrowLimit: 18_000_000n,
      elevationGroups: [1],
      takeRatePct: 10,
    },
    {
      symbol: 'SOL',
      loanToValuePct: 70,
      liquidationThresholdPct: 76,
      borrowFactorPct: 130n,
      curve: NATIVE,
      depositLimit: 90_000n,
      borrowLimit: 60_000n,
      flashLoanFeeBps: 5n,
    },
  ],
};

const bitcoin: MarketSpec = {
  key: 'bitcoin',
  name: 'Bitcoin Credit',
  description: 'Isolated loans of dollars against bitcoin, nearly all of it lent out',
  isPrimary: false,
  isCurated: true,
  hasWithdrawQueue: true,
  closeFactorPct: 50,
  groups: [],
  reserves: [
    {
      symbol: 'cbBTC',
      loanToValuePct: 75,
      liquidationThresholdPct: 80,
      borrowFactorPct: 120n,
      curve: VOLATILE,
      interestRateBasis: 'trueApr',
      depositLimit: 500n,
      borrowLimit: 0n,
      liquidationBonusBps: { min: 100, max: 500 },
    },
    {
      symbol: 'USDC',
      loanToValuePct: 0,
      liquidationThresholdPct: 0,
      borrowFactorPct: 100n,
      curve: STABLE,
      interestRateBasis: 'trueApr',
      depositLimit: 10_000_000n,
      borrowLimit: 10_000_000n,
      takeRatePct: 20,
      hostRateBps: 50,
    },
    {
      symbol: 'wETH',
      loanToValuePct: 65,
      liquidationThresholdPct: 72,
      borrowFactorPct: 130n,
      curve: FIXED,
      interestRateBasis: 'trueApr',
      debtTermDays: 60n,
      depositLimit: 3_000n,
      borrowLimit: 1_000n,
    },
  ],
};

export const MARKET_SPECS: readonly MarketSpec[] = [main, jlp, bitcoin];
