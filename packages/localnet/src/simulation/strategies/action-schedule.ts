import { reserveAddress } from '../../genesis/accounts/market.ts';
import { vaultAddress } from '../../genesis/accounts/vault.ts';
import type { MarketKey } from '../../genesis/specs/market-specs.ts';
import type { TokenSymbol } from '../../genesis/specs/token-specs.ts';
import type { VaultKey } from '../../genesis/specs/vault-specs.ts';
import { DEMO_WALLET_INDEX } from '../../genesis/wallets.ts';
import { attempt } from '../actions/attempt.ts';
import { openEmptyLoan } from '../actions/lending-actions.ts';
import { lowerDepositLimit, markReserveObsolete } from '../actions/reserve-config-actions.ts';
import { claimVaultRewards, executeVaultWithdraw } from '../actions/vault-actions.ts';
import { investVault } from '../actions/vault-investment.ts';
import type { SimulationContext } from '../setup/simulation-setup.ts';
import { type LoanStrategy, walletLoan } from './loan-strategy.ts';
import {
  borrowAction,
  depositAction,
  loopAction,
  repayAction,
  type ScriptedAction,
  sequence,
  vaultDepositAction,
  withdrawAction,
} from './scripted-actions.ts';

/** Something that is meant to happen, so many hours before the end or, negative, after the founding. */
type Planned = { readonly hoursBefore: number; readonly act: ScriptedAction };

const THOUSAND = 1_000n;
const DAY = 24;

/** Planned acts of a time so many hours long, by the hour in which they happen: short times have all of them, too. */
export function scheduleActions(hours: number): ReadonlyMap<number, readonly ScriptedAction[]> {
  const founding = founders().map(({ act, hoursBefore }) => ({ hour: 1 - hoursBefore, act }));
  const later = chosen().map(({ act, hoursBefore }) => ({
    hour: Math.max(hours - hoursBefore, FOUNDED),
    act,
  }));
  const byHour = new Map<number, ScriptedAction[]>();
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
    const dollars: ScriptedAction = (scenery, tally) => {
      const sum = scenery.dice.between(140n, 260n) * THOUSAND;
      depositAction(9 + i, { market, kind: 'lending' }, [[collateral, sum]])(scenery, tally);
    };
    return { hoursBefore: 0, act: dollars };
  });
  const vaults: readonly VaultKey[] = ['prime', 'lighthouse', 'reef', 'credit', 'keel'];
  const savers = vaults.map((vault, i): Planned => {
    const act: ScriptedAction = (scenery, tally) => {
      const some = scenery.dice.between(130n, 220n) * THOUSAND;
      const dollars = vault === 'credit' ? 450n * THOUSAND : some;
      vaultDepositAction(87 + i, vault, { dollars, stake: false })(scenery, tally);
    };
    return { hoursBefore: -1, act };
  });
  const invest: Planned = {
    hoursBefore: -2,
    act: ({ player, people, facts }, tally) => {
      for (const { address } of facts.vaults) {
        for (const record of investVault(player, address, people.maker))
          attempt(tally, () => record);
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
      act: sequence(
        depositAction(2 + i, loan, [['SOL', BigInt(25 + i) * THOUSAND]]),
        borrowAction(2 + i, loan, [['USDC', permille]]),
      ),
    };
  });
  const empty = (['main', 'jlp', 'bitcoin'] as const).map((market, i): Planned => {
    const habit = { market, kind: 'vanilla', collateral: 'SOL' } as const;
    const act: ScriptedAction = (scenery, tally) =>
      void attempt(tally, () => openEmptyLoan(scenery.player, walletLoan(scenery, 5 + i, habit)));
    return { hoursBefore: 7 * DAY, act };
  });
  return [...newcomer(), ...full(), ...near, ...empty, ...woundUp(), ...drained()];
}

/** A plain loan, a looped one, and shares held and staked, with some months of use. */
function newcomer(): Planned[] {
  const plain = { market: 'main', kind: 'vanilla' } as const;
  const looped: LoanStrategy = {
    ...{ market: 'main', kind: 'multiply', collateral: 'JitoSOL', debt: 'SOL', group: 1 },
    ...{ dollars: 9_400n, appetitePermille: 780n },
  };
  const wallet = DEMO_WALLET_INDEX;
  const prime = (scenery: SimulationContext) => ({
    owner: scenery.people.wallet(wallet),
    vault: vaultAddress(scenery.keys, 'prime'),
  });
  return [
    {
      hoursBefore: 61 * DAY,
      act: sequence(
        vaultDepositAction(wallet, 'prime', { dollars: 7_500n, stake: true }),
        vaultDepositAction(wallet, 'prime', { dollars: 5_000n, stake: false }),
      ),
    },
    {
      hoursBefore: 60 * DAY,
      act: sequence(
        depositAction(wallet, plain, [['SOL', 18_500n]]),
        depositAction(wallet, plain, [['JitoSOL', 6_200n]]),
        borrowAction(wallet, plain, [['USDC', 520n]]),
        loopAction(wallet, looped),
      ),
    },
    { hoursBefore: 31 * DAY, act: depositAction(wallet, plain, [['SOL', 1_200n]]) },
    {
      hoursBefore: 24 * DAY,
      act: (scenery, tally) =>
        void attempt(tally, () =>
          executeVaultWithdraw(scenery.player, prime(scenery), 800_000_000n),
        ),
    },
    { hoursBefore: 12 * DAY, act: withdrawAction(wallet, plain, ['SOL', 60n]) },
    { hoursBefore: 7 * DAY, act: repayAction(wallet, plain, ['USDC', 120n]) },
    {
      hoursBefore: 5 * DAY,
      act: (scenery, tally) =>
        void attempt(tally, () => claimVaultRewards(scenery.player, prime(scenery))),
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
  return [
    {
      hoursBefore: 58 * DAY,
      act: sequence(depositAction(1, loan, lent), borrowAction(1, loan, owed)),
    },
  ];
}

/** A reserve is wound up while somebody has lent to it and owes. */
function woundUp(): Planned[] {
  const loan = { market: 'main', kind: 'vanilla' } as const;
  const lent = [['KMNO', 21n * THOUSAND] as const, ['USDC', 8n * THOUSAND] as const];
  const end: ScriptedAction = ({ player, people, keys }, tally) => {
    const reserve = reserveAddress(keys, 'main', 'KMNO');
    attempt(tally, () => markReserveObsolete(player, reserve, people.named('owner/main')));
  };
  return [
    {
      hoursBefore: 90 * DAY,
      act: sequence(depositAction(8, loan, lent), borrowAction(8, loan, [['SOL', 350n]])),
    },
    { hoursBefore: 7 * DAY, act: end },
  ];
}

/** One market's dollars are all lent out, and another reserve is nearly full. */
function drained(): Planned[] {
  const loan = { market: 'bitcoin', kind: 'vanilla' } as const;
  const tighten: ScriptedAction = ({ player, people, keys }, tally) => {
    const reserve = reserveAddress(keys, 'main', 'USDT');
    attempt(tally, () => lowerDepositLimit(player, reserve, people.named('owner/main')));
  };
  const lent = [['cbBTC', 1_400n * THOUSAND] as const];
  return [
    {
      hoursBefore: 2,
      act: sequence(depositAction(92, loan, lent), borrowAction(92, loan, [['USDC', 999n]])),
    },
    { hoursBefore: 1, act: tighten },
  ];
}
