import type { SeededRandom } from '../../genesis/seed/seeded-random.ts';
import type { MarketKey } from '../../genesis/specs/market-specs.ts';
import type { TokenSymbol } from '../../genesis/specs/token-specs.ts';
import type { VaultKey } from '../../genesis/specs/vault-specs.ts';
import { WALLET_COUNT } from '../../genesis/wallets.ts';
import { loanStrategy, type Strategy } from './loan-strategy.ts';
import { vaultStrategy } from './vault-strategy.ts';

/** Wallets that only follow the schedule. */
const isScheduled = (wallet: number): boolean => wallet < 9 || wallet === 92;

/** Strategies by wallet index. */
export function assignStrategies(random: SeededRandom): readonly (readonly Strategy[])[] {
  return Array.from({ length: WALLET_COUNT }, (_, wallet) => {
    if (isScheduled(wallet)) return [];
    const strategies = [primaryStrategy(wallet, random)];
    if (wallet % 3 === 0) strategies.push(vaultDepositor(random));
    return strategies;
  });
}

function primaryStrategy(wallet: number, random: SeededRandom): Strategy {
  if (wallet >= 9 && wallet < 25) return lender(wallet, random);
  if (wallet >= 55 && wallet < 77) return looper(wallet, random);
  if (wallet >= 77 && wallet < 87) return trader(random);
  if (wallet >= 87) return vaultDepositor(random);
  return borrower(wallet, random);
}

/** Large deposits without debt. */
function lender(wallet: number, random: SeededRandom): Strategy {
  const reserves: readonly [ReserveKey, ...ReserveKey[]] = [
    ['main', 'SOL'],
    ['main', 'USDC'],
    ['main', 'USDT'],
    ['main', 'PYUSD'],
    ['main', 'wETH'],
    ['jlp', 'USDC'],
    ['jlp', 'SOL'],
    ['bitcoin', 'wETH'],
    ['main', 'cbBTC'],
    ['main', 'JitoSOL'],
  ];
  const [market, collateral] = reserves[wallet % reserves.length] ?? reserves[0];
  const usd = random.between(20_000n, 60_000n);
  return loanStrategy({ market, kind: 'lending', collateral, usd, targetBorrowPermille: 0n });
}

type ReserveKey = readonly [MarketKey, TokenSymbol];

/** Plain loans of all sizes. */
function borrower(wallet: number, random: SeededRandom): Strategy {
  const isOtherMarket = wallet >= 45 && wallet < 55;
  const market = isOtherMarket ? random.pick<MarketKey>(['jlp', 'bitcoin']) : 'main';
  const collateral = isOtherMarket
    ? market === 'jlp'
      ? 'SOL'
      : 'cbBTC'
    : random.pick<TokenSymbol>(['SOL', 'JitoSOL', 'cbBTC', 'wETH', 'JLP', 'USDC']);
  const debt = isOtherMarket
    ? 'USDC'
    : random.pick<TokenSymbol>(
        collateral === 'USDC' ? ['SOL', 'wETH', 'cbBTC'] : ['USDC', 'USDT', 'PYUSD'],
      );
  const [usd, targetBorrowPermille] = [random.between(400n, 12_000n), random.between(350n, 930n)];
  return loanStrategy({ market, kind: 'vanilla', collateral, debt, usd, targetBorrowPermille });
}

/** Leverage with correlated collateral and debt. */
function looper(wallet: number, random: SeededRandom): Strategy {
  const [usd, targetBorrowPermille] = [random.between(800n, 15_000n), random.between(550n, 930n)];
  const common = { kind: 'multiply', group: 1, usd, targetBorrowPermille } as const;
  return wallet >= 70
    ? loanStrategy({ ...common, market: 'jlp', collateral: 'JLP', debt: 'USDC' })
    : loanStrategy({
        ...common,
        market: 'main',
        debt: 'SOL',
        collateral: wallet % 3 === 2 ? 'bSOL' : 'JitoSOL',
      });
}

/** Long and short positions with leverage. */
function trader(random: SeededRandom): Strategy {
  const [collateral, debt] = random.pick<readonly [TokenSymbol, TokenSymbol]>([
    ['SOL', 'USDC'],
    ['cbBTC', 'USDC'],
    ['wETH', 'USDT'],
    ['USDC', 'SOL'],
  ]);
  const [usd, targetBorrowPermille] = [random.between(500n, 9_000n), random.between(500n, 900n)];
  return loanStrategy({
    market: 'main',
    kind: 'leverage',
    collateral,
    debt,
    usd,
    targetBorrowPermille,
  });
}

function vaultDepositor(random: SeededRandom): Strategy {
  const vault = random.pick<VaultKey>(['prime', 'lighthouse', 'reef', 'keel']);
  return vaultStrategy({ vault, usd: random.between(50n, 9_000n) });
}
