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
import { releaseCases } from './release-cases.ts';
import {
  borrowAction,
  depositAction,
  loopAction,
  repayAction,
  type ScheduledAction,
  type ScriptedAction,
  sequence,
  vaultDepositAction,
  withdrawAction,
} from './scripted-actions.ts';
import { specialCases } from './special-cases.ts';

const THOUSAND = 1_000n;
const DAY = 24;

/**
 * Actions of a simulation of that many hours, by the hour they run in. Short simulations run all of
 * them, too.
 */
export function scheduleActions(hours: number): ReadonlyMap<number, readonly ScriptedAction[]> {
  const initial = initialActions().map(({ action, hoursBefore }) => ({
    hour: 1 - hoursBefore,
    action,
  }));
  const later = scheduledPositions().map(({ action, hoursBefore }) => ({
    hour: Math.max(hours - hoursBefore, INITIAL_HOURS),
    action,
  }));
  const byHour = new Map<number, ScriptedAction[]>();
  for (const { hour, action } of [...initial, ...later]) {
    byHour.set(hour, [...(byHour.get(hour) ?? []), action]);
  }
  return byHour;
}

/** Hours that the initial deposits take. */
const INITIAL_HOURS = 3;

/** The first lenders, the first vault depositors, and the first investment. */
function initialActions(): ScheduledAction[] {
  const reserves: readonly (readonly [MarketKey, TokenSymbol])[] = [
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
  const lenders = reserves.map(([market, collateral], i): ScheduledAction => {
    const usd: ScriptedAction = (context, counts) => {
      const amount = context.random.between(140n, 260n) * THOUSAND;
      depositAction(9 + i, { market, kind: 'lending' }, [[collateral, amount]])(context, counts);
    };
    return { hoursBefore: 0, action: usd };
  });
  const vaults: readonly VaultKey[] = ['prime', 'lighthouse', 'reef', 'credit', 'keel'];
  const depositors = vaults.map((vault, i): ScheduledAction => {
    const action: ScriptedAction = (context, counts) => {
      const random = context.random.between(130n, 220n) * THOUSAND;
      const usd = vault === 'credit' ? 450n * THOUSAND : random;
      vaultDepositAction(87 + i, vault, { usd, stake: false })(context, counts);
    };
    return { hoursBefore: -1, action };
  });
  const invest: ScheduledAction = {
    hoursBefore: -2,
    action: ({ simulator, agents, metadata }, counts) => {
      for (const { address } of metadata.vaults) {
        for (const record of investVault(simulator, address, agents.marketMaker))
          attempt(counts, () => record);
      }
    },
  };
  return [...lenders, ...depositors, invest];
}

/** Positions of the demo wallet, a loan with all slots in use, and edge cases. */
function scheduledPositions(): ScheduledAction[] {
  const near = [1_000n, 994n, 985n].map((permille, i): ScheduledAction => {
    const loan = { market: 'main', kind: 'vanilla' } as const;
    return {
      hoursBefore: 20,
      action: sequence(
        depositAction(2 + i, loan, [['SOL', BigInt(25 + i) * THOUSAND]]),
        borrowAction(2 + i, loan, [['USDC', permille]]),
      ),
    };
  });
  const empty = (['main', 'jlp', 'bitcoin'] as const).map((market, i): ScheduledAction => {
    const strategy = { market, kind: 'vanilla', collateral: 'SOL' } as const;
    const action: ScriptedAction = (context, counts) =>
      void attempt(counts, () =>
        openEmptyLoan(context.simulator, walletLoan(context, 5 + i, strategy)),
      );
    return { hoursBefore: 7 * DAY, action };
  });
  return [
    ...demoWallet(),
    ...fullLoan(),
    ...near,
    ...empty,
    ...obsoleteReserve(),
    ...exhaustedReserves(),
    ...specialCases(),
    ...releaseCases(),
  ];
}

/**
 * Some months of the demo wallet: a plain loan, a leveraged loan, and vault shares held and staked.
 */
function demoWallet(): ScheduledAction[] {
  const plain = { market: 'main', kind: 'vanilla' } as const;
  const looped: LoanStrategy = {
    market: 'main',
    kind: 'multiply',
    collateral: 'JitoSOL',
    debt: 'SOL',
    group: 1,
    usd: 9_400n,
    targetBorrowPermille: 780n,
  };
  const wallet = DEMO_WALLET_INDEX;
  const prime = (context: SimulationContext) => ({
    owner: context.agents.wallet(wallet),
    vault: vaultAddress(context.keys, 'prime'),
  });
  return [
    {
      hoursBefore: 61 * DAY,
      action: sequence(
        vaultDepositAction(wallet, 'prime', { usd: 7_500n, stake: true }),
        vaultDepositAction(wallet, 'prime', { usd: 5_000n, stake: false }),
      ),
    },
    {
      hoursBefore: 60 * DAY,
      action: sequence(
        depositAction(wallet, plain, [['SOL', 18_500n]]),
        depositAction(wallet, plain, [['JitoSOL', 6_200n]]),
        borrowAction(wallet, plain, [['USDC', 520n]]),
        loopAction(wallet, looped),
      ),
    },
    { hoursBefore: 31 * DAY, action: depositAction(wallet, plain, [['SOL', 1_200n]]) },
    {
      hoursBefore: 24 * DAY,
      action: (context, counts) =>
        void attempt(counts, () =>
          executeVaultWithdraw(context.simulator, prime(context), 800_000_000n),
        ),
    },
    { hoursBefore: 12 * DAY, action: withdrawAction(wallet, plain, ['SOL', 60n]) },
    { hoursBefore: 7 * DAY, action: repayAction(wallet, plain, ['USDC', 120n]) },
    {
      hoursBefore: 5 * DAY,
      action: (context, counts) =>
        void attempt(counts, () => claimVaultRewards(context.simulator, prime(context))),
    },
  ];
}

function fullLoan(): ScheduledAction[] {
  const loan = { market: 'main', kind: 'vanilla' } as const;
  const deposits = (
    ['SOL', 'USDC', 'USDT', 'PYUSD', 'JitoSOL', 'bSOL', 'cbBTC', 'JLP'] as const
  ).map((symbol) => [symbol, 90n * THOUSAND] as const);
  const borrows = (['wETH', 'SOL', 'USDT', 'PYUSD', 'USDC'] as const).map(
    (symbol) => [symbol, 140n] as const,
  );
  return [
    {
      hoursBefore: 58 * DAY,
      action: sequence(depositAction(1, loan, deposits), borrowAction(1, loan, borrows)),
    },
  ];
}

/** A reserve becomes obsolete while a wallet has deposits and debt in the market. */
function obsoleteReserve(): ScheduledAction[] {
  const loan = { market: 'main', kind: 'vanilla' } as const;
  const deposits = [['KMNO', 21n * THOUSAND] as const, ['USDC', 8n * THOUSAND] as const];
  const markObsolete: ScriptedAction = ({ simulator, agents, keys }, counts) => {
    const reserve = reserveAddress(keys, 'main', 'KMNO');
    attempt(counts, () => markReserveObsolete(simulator, reserve, agents.named('owner/main')));
  };
  return [
    {
      hoursBefore: 90 * DAY,
      action: sequence(depositAction(8, loan, deposits), borrowAction(8, loan, [['SOL', 350n]])),
    },
    { hoursBefore: 7 * DAY, action: markObsolete },
  ];
}

/** The USDC of one market is fully borrowed, and another reserve is nearly at its deposit limit. */
function exhaustedReserves(): ScheduledAction[] {
  const loan = { market: 'bitcoin', kind: 'vanilla' } as const;
  const lowerLimit: ScriptedAction = ({ simulator, agents, keys }, counts) => {
    const reserve = reserveAddress(keys, 'main', 'USDT');
    attempt(counts, () => lowerDepositLimit(simulator, reserve, agents.named('owner/main')));
  };
  const deposits = [['cbBTC', 1_400n * THOUSAND] as const];
  return [
    {
      hoursBefore: 2,
      action: sequence(depositAction(92, loan, deposits), borrowAction(92, loan, [['USDC', 999n]])),
    },
    { hoursBefore: 1, action: lowerLimit },
  ];
}
