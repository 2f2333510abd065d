import type { Dice } from './dice.ts';
import type { MarketKey } from './market-specs.ts';
import type { TokenSymbol } from './tokens.ts';
import type { VaultKey } from './vault-specs.ts';
import { DEMO_WALLET, WALLETS } from './wallets.ts';

type LoanKind = 'vanilla' | 'multiply' | 'lending' | 'leverage';

/** A loan and what happens to it. Days are before the cluster begins. */
export type LoanPlan = {
  readonly wallet: number;
  readonly market: MarketKey;
  readonly kind: LoanKind;
  readonly day: number;
  readonly deposits: readonly (readonly [symbol: TokenSymbol, dollars: bigint])[];
  readonly group?: number;
  /** In thousandths of the most that each loan could be at its turn. */
  readonly borrows: readonly (readonly [symbol: TokenSymbol, permille: bigint])[];
  /** On that day a part of the first debt is paid back, or without debt a part of the first deposit taken out. */
  readonly eased?: { readonly day: number; readonly permille: bigint };
};

export type SavingPlan = {
  readonly wallet: number;
  readonly vault: VaultKey;
  readonly day: number;
  readonly dollars: bigint;
  readonly stakedPermille: bigint;
};

const THOUSAND = 1_000n;

export function planLoans(dice: Dice): readonly LoanPlan[] {
  return [
    ...chosenLoans(),
    ...lenders(dice),
    ...borrowers(dice),
    ...loopers(dice),
    ...traders(dice),
  ];
}

/** Loans that are there to be met: the newcomer's, a full one, and those at the edges. */
function chosenLoans(): LoanPlan[] {
  return [
    {
      wallet: DEMO_WALLET,
      market: 'main',
      kind: 'vanilla',
      day: 60,
      deposits: [
        ['SOL', 18_500n],
        ['JitoSOL', 6_200n],
      ],
      borrows: [['USDC', 520n]],
      eased: { day: 7, permille: 120n },
    },
    {
      wallet: DEMO_WALLET,
      market: 'main',
      kind: 'multiply',
      day: 60,
      deposits: [['JitoSOL', 9_400n]],
      group: 1,
      borrows: [['SOL', 780n]],
    },
    {
      wallet: 1,
      market: 'main',
      kind: 'vanilla',
      day: 60,
      deposits: (['SOL', 'USDC', 'USDT', 'PYUSD', 'JitoSOL', 'bSOL', 'cbBTC', 'JLP'] as const).map(
        (symbol) => [symbol, 90n * THOUSAND],
      ),
      borrows: (['wETH', 'SOL', 'USDT', 'PYUSD', 'USDC'] as const).map((symbol) => [symbol, 140n]),
    },
    ...riskyLoans(),
    ...(['main', 'jlp', 'bitcoin'] as const).map((market, i) => emptyLoan(5 + i, market)),
  ];
}

/** As much as was allowed before the price fell, a deposit in a reserve that is wound up later, and one that takes all there is. */
function riskyLoans(): LoanPlan[] {
  const near = [1_000n, 994n, 985n].map(
    (permille, i): LoanPlan => ({
      wallet: 2 + i,
      market: 'main',
      kind: 'vanilla',
      day: 30,
      deposits: [['SOL', BigInt(25 + i) * THOUSAND]],
      borrows: [['USDC', permille]],
    }),
  );
  const woundUp: LoanPlan = {
    wallet: 8,
    market: 'main',
    kind: 'vanilla',
    day: 90,
    deposits: [
      ['KMNO', 21n * THOUSAND],
      ['USDC', 8n * THOUSAND],
    ],
    borrows: [['SOL', 350n]],
  };
  const drain: LoanPlan = {
    wallet: 92,
    market: 'bitcoin',
    kind: 'vanilla',
    day: 1,
    deposits: [['cbBTC', 1_400n * THOUSAND]],
    borrows: [['USDC', 999n]],
  };
  return [...near, woundUp, drain];
}

const emptyLoan = (wallet: number, market: MarketKey): LoanPlan => ({
  wallet,
  market,
  kind: 'vanilla',
  day: 7,
  deposits: [],
  borrows: [],
});

/** Who only lends, early and much. */
function lenders(dice: Dice): LoanPlan[] {
  const places: readonly (readonly [MarketKey, TokenSymbol])[] = [
    ['main', 'SOL'],
    ['main', 'USDC'],
    ['main', 'USDT'],
    ['main', 'PYUSD'],
    ['main', 'wETH'],
    ['main', 'KMNO'],
    ['jlp', 'USDC'],
    ['jlp', 'SOL'],
    ['main', 'SOL'],
    ['main', 'USDC'],
    ['main', 'cbBTC'],
    ['bitcoin', 'wETH'],
    ['main', 'SOL'],
    ['main', 'USDC'],
    ['main', 'JitoSOL'],
    ['main', 'bSOL'],
  ];
  return places.map(([market, symbol], i) => ({
    wallet: 9 + i,
    market,
    kind: 'lending',
    day: 120,
    deposits: [
      [
        symbol,
        dice.between(140n, 260n) * (market === 'main' && symbol === 'USDC' ? 400n : THOUSAND),
      ],
    ],
    borrows: [],
    ...(i % 4 === 1 ? { eased: { day: 7, permille: dice.between(40n, 160n) } } : {}),
  }));
}

/** Plain loans of all sizes. */
function borrowers(dice: Dice): LoanPlan[] {
  const main = Array.from({ length: 20 }, (_, i): LoanPlan => {
    const collateral = dice.pick<TokenSymbol>(['SOL', 'JitoSOL', 'cbBTC', 'wETH', 'JLP', 'USDC']);
    const debt = dice.pick<TokenSymbol>(
      collateral === 'USDC' ? ['SOL', 'wETH'] : ['USDC', 'USDT', 'PYUSD'],
    );
    return {
      wallet: 25 + i,
      market: 'main',
      kind: 'vanilla',
      day: dice.pick([90, 60, 30]),
      deposits: [[collateral, dice.between(800n, 140n * THOUSAND)]],
      borrows: [[debt, dice.between(150n, 820n)]],
      ...(i % 5 === 0 ? { eased: { day: 7, permille: dice.between(100n, 600n) } } : {}),
    };
  });
  const elsewhere = Array.from({ length: 10 }, (_, i): LoanPlan => {
    const market = i % 2 === 0 ? 'jlp' : 'bitcoin';
    return {
      wallet: 45 + i,
      market,
      kind: 'vanilla',
      day: dice.pick([90, 60, 30]),
      deposits: [[market === 'jlp' ? 'SOL' : 'cbBTC', dice.between(5n, 90n) * THOUSAND]],
      borrows: [['USDC', dice.between(300n, 700n)]],
    };
  });
  return [...main, ...elsewhere];
}

/** Who borrows what they lend again. */
function loopers(dice: Dice): LoanPlan[] {
  const staked = Array.from(
    { length: 15 },
    (_, i): LoanPlan => ({
      wallet: 55 + i,
      market: 'main',
      kind: 'multiply',
      day: dice.pick([90, 60, 30]),
      deposits: [[i % 3 === 2 ? 'bSOL' : 'JitoSOL', dice.between(2n, 120n) * THOUSAND]],
      group: 1,
      borrows: [['SOL', dice.between(550n, 940n)]],
    }),
  );
  const stable = Array.from(
    { length: 7 },
    (_, i): LoanPlan => ({
      wallet: 70 + i,
      market: 'jlp',
      kind: 'multiply',
      day: dice.pick([90, 60, 30]),
      deposits: [['JLP', dice.between(3n, 80n) * THOUSAND]],
      group: 1,
      borrows: [['USDC', dice.between(500n, 900n)]],
    }),
  );
  return [...staked, ...stable];
}

/** Who bets with borrowed money, up or down. */
function traders(dice: Dice): LoanPlan[] {
  return Array.from({ length: 10 }, (_, i): LoanPlan => {
    const [collateral, debt] = dice.pick<readonly [TokenSymbol, TokenSymbol]>([
      ['SOL', 'USDC'],
      ['cbBTC', 'USDC'],
      ['wETH', 'USDT'],
      ['USDC', 'SOL'],
    ]);
    return {
      wallet: 77 + i,
      market: 'main',
      kind: 'leverage',
      day: dice.pick([60, 30]),
      deposits: [[collateral, dice.between(1n, 60n) * THOUSAND]],
      borrows: [[debt, dice.between(400n, 850n)]],
    };
  });
}

/** Shares of vaults: a few large holders first, then everyone whose number says so. */
export function planSavings(dice: Dice): readonly SavingPlan[] {
  const held: readonly VaultKey[] = ['prime', 'lighthouse', 'reef', 'credit', 'keel'];
  const founders = held.map(
    (vault, i): SavingPlan => ({
      wallet: 87 + i,
      vault,
      day: 120,
      dollars: vault === 'credit' ? 450n * THOUSAND : dice.between(130n, 220n) * THOUSAND,
      stakedPermille: 0n,
    }),
  );
  const savers = Array.from({ length: WALLETS - 5 }, (_, wallet) => wallet)
    .filter((wallet) => wallet % 3 === 0)
    .map(
      (wallet): SavingPlan => ({
        wallet,
        vault:
          wallet === DEMO_WALLET ? 'prime' : dice.pick(['prime', 'lighthouse', 'reef', 'keel']),
        day: wallet === DEMO_WALLET ? 60 : dice.pick([60, 30, 7, 1]),
        dollars: wallet === DEMO_WALLET ? 12_500n : dice.between(50n, 40n * THOUSAND),
        stakedPermille: wallet === DEMO_WALLET ? 600n : dice.pick([0n, 350n, 1_000n]),
      }),
    );
  return [...founders, ...savers];
}
