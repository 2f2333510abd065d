import type { SeededRandom } from '../../genesis/seed/seeded-random.ts';
import type { MarketKey } from '../../genesis/specs/market-specs.ts';
import type { TokenSymbol } from '../../genesis/specs/token-specs.ts';
import type { VaultKey } from '../../genesis/specs/vault-specs.ts';
import { WALLET_COUNT } from '../../genesis/wallets.ts';
import { loanStrategy, type Strategy } from './loan-strategy.ts';
import { vaultStrategy } from './vault-strategy.ts';

/** Those who do what is planned for them, and nothing else. */
const isPlanned = (wallet: number): boolean => wallet < 9 || wallet === 92;

/** Who acts how, by the number of the wallet. */
export function assignStrategies(dice: SeededRandom): readonly (readonly Strategy[])[] {
  return Array.from({ length: WALLET_COUNT }, (_, wallet) => {
    if (isPlanned(wallet)) return [];
    const habits = [mainHabit(wallet, dice)];
    if (wallet % 3 === 0) habits.push(saver(dice));
    return habits;
  });
}

function mainHabit(wallet: number, dice: SeededRandom): Strategy {
  if (wallet >= 9 && wallet < 25) return lender(wallet, dice);
  if (wallet >= 55 && wallet < 77) return looper(wallet, dice);
  if (wallet >= 77 && wallet < 87) return trader(dice);
  if (wallet >= 87) return saver(dice);
  return borrower(wallet, dice);
}

/** Who only lends, and much. */
function lender(wallet: number, dice: SeededRandom): Strategy {
  const places: readonly [Place, ...Place[]] = [
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
  const [market, collateral] = places[wallet % places.length] ?? places[0];
  const dollars = dice.between(20_000n, 60_000n);
  return loanStrategy({ market, kind: 'lending', collateral, dollars, appetitePermille: 0n });
}

type Place = readonly [MarketKey, TokenSymbol];

/** Plain loans of all sizes. */
function borrower(wallet: number, dice: SeededRandom): Strategy {
  const isElsewhere = wallet >= 45 && wallet < 55;
  const market = isElsewhere ? dice.pick<MarketKey>(['jlp', 'bitcoin']) : 'main';
  const collateral = isElsewhere
    ? market === 'jlp'
      ? 'SOL'
      : 'cbBTC'
    : dice.pick<TokenSymbol>(['SOL', 'JitoSOL', 'cbBTC', 'wETH', 'JLP', 'USDC']);
  const debt = isElsewhere
    ? 'USDC'
    : dice.pick<TokenSymbol>(
        collateral === 'USDC' ? ['SOL', 'wETH', 'cbBTC'] : ['USDC', 'USDT', 'PYUSD'],
      );
  const [dollars, appetitePermille] = [dice.between(400n, 12_000n), dice.between(350n, 930n)];
  return loanStrategy({ market, kind: 'vanilla', collateral, debt, dollars, appetitePermille });
}

/** Who borrows what they lend again. */
function looper(wallet: number, dice: SeededRandom): Strategy {
  const [dollars, appetitePermille] = [dice.between(800n, 15_000n), dice.between(550n, 930n)];
  const common = { kind: 'multiply', group: 1, dollars, appetitePermille } as const;
  return wallet >= 70
    ? loanStrategy({ ...common, market: 'jlp', collateral: 'JLP', debt: 'USDC' })
    : loanStrategy({
        ...{ ...common, market: 'main', debt: 'SOL' },
        collateral: wallet % 3 === 2 ? 'bSOL' : 'JitoSOL',
      });
}

/** Who bets with borrowed money, up or down. */
function trader(dice: SeededRandom): Strategy {
  const [collateral, debt] = dice.pick<readonly [TokenSymbol, TokenSymbol]>([
    ['SOL', 'USDC'],
    ['cbBTC', 'USDC'],
    ['wETH', 'USDT'],
    ['USDC', 'SOL'],
  ]);
  const [dollars, appetitePermille] = [dice.between(500n, 9_000n), dice.between(500n, 900n)];
  return loanStrategy({
    ...{ market: 'main', kind: 'leverage', collateral, debt, dollars, appetitePermille },
  });
}

function saver(dice: SeededRandom): Strategy {
  const vault = dice.pick<VaultKey>(['prime', 'lighthouse', 'reef', 'keel']);
  return vaultStrategy({ vault, dollars: dice.between(50n, 9_000n) });
}
