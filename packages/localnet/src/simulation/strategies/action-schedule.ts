import { reserveAddress } from '../../genesis/accounts/market.ts';
import { vaultAddress } from '../../genesis/accounts/vault.ts';
import type { MarketKey } from '../../genesis/specs/market-specs.ts';
import type { TokenSymbol } from '../../genesis/specs/token-specs.ts';
import type { VaultKey } from '../../genesis/specs/vault-specs.ts';
import { DEMO_WALLET } from '../../genesis/wallets.ts';
import { attempt } from '../actions/attempt.ts';
import { openLoan } from '../actions/lending-actions.ts';
import { tightenLimit, windUp } from '../actions/reserve-config-actions.ts';
import { claimVault, redeem } from '../actions/vault-actions.ts';
import { investAll } from '../actions/vault-investment.ts';
import type { Scenery } from '../setup/simulation-setup.ts';
import { type LoanHabit, loanOf } from './loan-strategy.ts';
import {
  type Act,
  borrow,
  both,
  deposit,
  ease,
  loops,
  saves,
  takeOut,
} from './scripted-actions.ts';

/** Something that is meant to happen, so many hours before the end or, negative, after the founding. */
type Planned = { readonly hoursBefore: number; readonly act: Act };

const THOUSAND = 1_000n;
const DAY = 24;

/** Planned acts of a time so many hours long, by the hour in which they happen: short times have all of them, too. */
export function plannedActs(hours: number): ReadonlyMap<number, readonly Act[]> {
  const founding = founders().map(({ act, hoursBefore }) => ({ hour: 1 - hoursBefore, act }));
  const later = chosen().map(({ act, hoursBefore }) => ({
    hour: Math.max(hours - hoursBefore, FOUNDED),
    act,
  }));
  const byHour = new Map<number, Act[]>();
  for (const { hour, act } of [...founding, ...later]) {
    byHour.set(hour, [...(byHour.get(hour) ?? []), act]);
  }
  return byHour;
}

/** Hours that the founders take. */
const FOUNDED = 3;

/** Who lends first and much, and who saves first. */
function founders(): Planned[] {
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
  const lenders = places.map(([market, collateral], i): Planned => {
    const dollars: Act = (scenery, tally) => {
      const sum = scenery.dice.between(140n, 260n) * THOUSAND;
      deposit(9 + i, { market, kind: 'lending' }, [[collateral, sum]])(scenery, tally);
    };
    return { hoursBefore: 0, act: dollars };
  });
  const vaults: readonly VaultKey[] = ['prime', 'lighthouse', 'reef', 'credit', 'keel'];
  const savers = vaults.map((vault, i): Planned => {
    const act: Act = (scenery, tally) => {
      const some = scenery.dice.between(130n, 220n) * THOUSAND;
      const dollars = vault === 'credit' ? 450n * THOUSAND : some;
      saves(87 + i, vault, { dollars, stake: false })(scenery, tally);
    };
    return { hoursBefore: -1, act };
  });
  const invest: Planned = {
    hoursBefore: -2,
    act: ({ player, people, facts }, tally) => {
      for (const { address } of facts.vaults) {
        for (const record of investAll(player, address, people.maker)) attempt(tally, () => record);
      }
    },
  };
  return [...lenders, ...savers, invest];
}

/** What is there to be met: the newcomer's positions, a full loan, and those at the edges. */
function chosen(): Planned[] {
  const near = [1_000n, 994n, 985n].map((permille, i): Planned => {
    const loan = { market: 'main', kind: 'vanilla' } as const;
    return {
      hoursBefore: 20,
      act: both(
        deposit(2 + i, loan, [['SOL', BigInt(25 + i) * THOUSAND]]),
        borrow(2 + i, loan, [['USDC', permille]]),
      ),
    };
  });
  const empty = (['main', 'jlp', 'bitcoin'] as const).map((market, i): Planned => {
    const habit = { market, kind: 'vanilla', collateral: 'SOL' } as const;
    const act: Act = (scenery, tally) =>
      void attempt(tally, () => openLoan(scenery.player, loanOf(scenery, 5 + i, habit)));
    return { hoursBefore: 7 * DAY, act };
  });
  return [...newcomer(), ...full(), ...near, ...empty, ...woundUp(), ...drained()];
}

/** A plain loan, a looped one, and shares held and staked, with some months of use. */
function newcomer(): Planned[] {
  const plain = { market: 'main', kind: 'vanilla' } as const;
  const looped: LoanHabit = {
    ...{ market: 'main', kind: 'multiply', collateral: 'JitoSOL', debt: 'SOL', group: 1 },
    ...{ dollars: 9_400n, appetitePermille: 780n },
  };
  const wallet = DEMO_WALLET;
  const prime = (scenery: Scenery) => ({
    owner: scenery.people.wallet(wallet),
    vault: vaultAddress(scenery.keys, 'prime'),
  });
  return [
    {
      hoursBefore: 61 * DAY,
      act: both(
        saves(wallet, 'prime', { dollars: 7_500n, stake: true }),
        saves(wallet, 'prime', { dollars: 5_000n, stake: false }),
      ),
    },
    {
      hoursBefore: 60 * DAY,
      act: both(
        deposit(wallet, plain, [['SOL', 18_500n]]),
        deposit(wallet, plain, [['JitoSOL', 6_200n]]),
        borrow(wallet, plain, [['USDC', 520n]]),
        loops(wallet, looped),
      ),
    },
    { hoursBefore: 31 * DAY, act: deposit(wallet, plain, [['SOL', 1_200n]]) },
    {
      hoursBefore: 24 * DAY,
      act: (scenery, tally) =>
        void attempt(tally, () => redeem(scenery.player, prime(scenery), 800_000_000n)),
    },
    { hoursBefore: 12 * DAY, act: takeOut(wallet, plain, ['SOL', 60n]) },
    { hoursBefore: 7 * DAY, act: ease(wallet, plain, ['USDC', 120n]) },
    {
      hoursBefore: 5 * DAY,
      act: (scenery, tally) =>
        void attempt(tally, () => claimVault(scenery.player, prime(scenery))),
    },
  ];
}

function full(): Planned[] {
  const loan = { market: 'main', kind: 'vanilla' } as const;
  const lent = (['SOL', 'USDC', 'USDT', 'PYUSD', 'JitoSOL', 'bSOL', 'cbBTC', 'JLP'] as const).map(
    (symbol) => [symbol, 90n * THOUSAND] as const,
  );
  const owed = (['wETH', 'SOL', 'USDT', 'PYUSD', 'USDC'] as const).map(
    (symbol) => [symbol, 140n] as const,
  );
  return [{ hoursBefore: 58 * DAY, act: both(deposit(1, loan, lent), borrow(1, loan, owed)) }];
}

/** A reserve is wound up while somebody has lent to it and owes. */
function woundUp(): Planned[] {
  const loan = { market: 'main', kind: 'vanilla' } as const;
  const lent = [['KMNO', 21n * THOUSAND] as const, ['USDC', 8n * THOUSAND] as const];
  const end: Act = ({ player, people, keys }, tally) => {
    const reserve = reserveAddress(keys, 'main', 'KMNO');
    attempt(tally, () => windUp(player, reserve, people.named('owner/main')));
  };
  return [
    { hoursBefore: 90 * DAY, act: both(deposit(8, loan, lent), borrow(8, loan, [['SOL', 350n]])) },
    { hoursBefore: 7 * DAY, act: end },
  ];
}

/** One market's dollars are all lent out, and another reserve is nearly full. */
function drained(): Planned[] {
  const loan = { market: 'bitcoin', kind: 'vanilla' } as const;
  const tighten: Act = ({ player, people, keys }, tally) => {
    const reserve = reserveAddress(keys, 'main', 'USDT');
    attempt(tally, () => tightenLimit(player, reserve, people.named('owner/main')));
  };
  const lent = [['cbBTC', 1_400n * THOUSAND] as const];
  return [
    {
      hoursBefore: 2,
      act: both(deposit(92, loan, lent), borrow(92, loan, [['USDC', 999n]])),
    },
    { hoursBefore: 1, act: tighten },
  ];
}
