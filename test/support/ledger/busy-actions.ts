import type { AmountOrAll } from '#core/builders/build.ts';
import { obligation } from '#core/protocol/klend/layout/obligation.ts';
import { KLEND_PROGRAM } from '#core/protocol/klend/program.ts';
import { oraclePrices } from '#core/protocol/scope/layout/oracle-prices.ts';
import { reserveAddress } from '#localnet/genesis/accounts/market.ts';
import { vaultAddress } from '#localnet/genesis/accounts/vault.ts';
import { createSeededRandom } from '#localnet/genesis/seed/seeded-random.ts';
import { tokenBySymbol } from '#localnet/genesis/specs/token-specs.ts';
import type { VaultKey } from '#localnet/genesis/specs/vault-specs.ts';
import { attempt, createActionCounts } from '#localnet/simulation/actions/attempt.ts';
import { ensureBalance } from '#localnet/simulation/actions/ensure-balance.ts';
import {
  executeRepay,
  executeWithdraw,
  refreshInstructions,
} from '#localnet/simulation/actions/lending-actions.ts';
import { liquidateLoan } from '#localnet/simulation/actions/liquidation.ts';
import { executeVaultWithdraw } from '#localnet/simulation/actions/vault-actions.ts';
import { investVault } from '#localnet/simulation/actions/vault-investment.ts';
import type { SimulationContext } from '#localnet/simulation/setup/simulation-setup.ts';
import { assignStrategies } from '#localnet/simulation/strategies/assign-strategies.ts';
import { walletLoan } from '#localnet/simulation/strategies/loan-strategy.ts';
import {
  borrowAction,
  depositAction,
  type ScriptedAction,
  vaultDepositAction,
} from '#localnet/simulation/strategies/scripted-actions.ts';
import { vaultStrategy } from '#localnet/simulation/strategies/vault-strategy.ts';

/** The vault that all wallets enter and leave again. */
export const EMPTIED_VAULT: VaultKey = 'empty';
/** The wallet that closes its loan completely and starts again. */
const RETURNING_BORROWER = 7;
/** The wallet that sells all shares and starts again. */
const RETURNING_SAVER = 0;

const PLAIN = { market: 'main', kind: 'vanilla' } as const;
const BITCOIN = { market: 'bitcoin', kind: 'vanilla' } as const;
const THOUSAND = 1_000n;

const invest =
  (key: VaultKey): ScriptedAction =>
  ({ simulator, agents, keys }, tally) => {
    for (const record of investVault(simulator, vaultAddress(keys, key), agents.marketMaker)) {
      attempt(tally, () => record);
    }
  };

const leave =
  (wallet: number, shares: AmountOrAll, key: VaultKey = EMPTIED_VAULT): ScriptedAction =>
  ({ simulator, agents, keys }, tally) => {
    const savings = { owner: agents.wallet(wallet), vault: vaultAddress(keys, key) };
    attempt(tally, () => executeVaultWithdraw(simulator, savings, shares));
  };

const save = (wallet: number, usd: bigint, key: VaultKey = EMPTIED_VAULT): ScriptedAction =>
  vaultDepositAction(wallet, key, { usd: usd * THOUSAND, stake: false });

const payAllBack: ScriptedAction = (context, tally) => {
  const { simulator, agents, keys } = context;
  const loan = walletLoan(context, RETURNING_BORROWER, { ...PLAIN, collateral: 'SOL' });
  const side = { owner: loan.owner, maker: agents.marketMaker };
  ensureBalance(simulator, side, { token: tokenBySymbol('USDC'), amount: 50_000_000_000n });
  const reserve = reserveAddress(keys, 'main', 'USDC');
  attempt(tally, () => executeRepay(simulator, loan, { reserve, amount: 'all' }));
};

const takeAllOut: ScriptedAction = (context, tally) => {
  const { simulator, keys } = context;
  const loan = walletLoan(context, RETURNING_BORROWER, { ...PLAIN, collateral: 'SOL' });
  const reserve = reserveAddress(keys, 'main', 'SOL');
  attempt(tally, () => executeWithdraw(simulator, loan, { reserve, amount: 'all' }));
};

/** Reduces the SOL price by a quarter until the next oracle update, and liquidates unhealthy loans. */
const crash: ScriptedAction = ({ simulator, agents, bank, metadata }, tally) => {
  const feed = simulator.requireAccount(metadata.oracle.prices);
  const fields = oraclePrices.decode(feed);
  const index = metadata.oracle.entries.find(({ symbol }) => symbol === 'SOL')?.index;
  const prices = fields.prices.map((entry, i) =>
    i === index
      ? { ...entry, price: { ...entry.price, value: (entry.price.value * 3n) / 4n } }
      : entry,
  );
  simulator.setAccount(metadata.oracle.prices, {
    ...feed,
    data: oraclePrices.encode({ ...fields, prices }),
  });
  for (const { address, account } of [...bank.view(bank.slot).accountsOf(KLEND_PROGRAM)]) {
    if (!obligation.matches(account) || obligation.decode(account).hasDebt === 0) continue;
    // the account contains its value only after a refresh
    simulator.execute({
      instructions: refreshInstructions(simulator, address),
      signers: [agents.keeper],
    });
    const record = liquidateLoan(simulator, address, agents.marketMaker);
    if (record !== undefined) attempt(tally, () => record);
  }
};

/** Actions by hour since the start. */
const PLANNED: ReadonlyMap<number, readonly ScriptedAction[]> = new Map([
  [
    4,
    [depositAction(6, PLAIN, [['SOL', 300n * THOUSAND]]), borrowAction(6, PLAIN, [['USDT', 700n]])],
  ],
  [5, [save(2, 40n), invest(EMPTIED_VAULT)]],
  [
    6,
    [
      depositAction(10, BITCOIN, [['cbBTC', 400n * THOUSAND]]),
      borrowAction(10, BITCOIN, [['USDC', 300n]]),
    ],
  ],
  [8, [save(3, 25n)]],
  [10, [depositAction(RETURNING_BORROWER, PLAIN, [['SOL', 30n * THOUSAND]])]],
  [12, [borrowAction(RETURNING_BORROWER, PLAIN, [['USDC', 500n]]), invest(EMPTIED_VAULT)]],
  [
    14,
    [depositAction(9, PLAIN, [['SOL', 50n * THOUSAND]]), borrowAction(9, PLAIN, [['USDC', 990n]])],
  ],
  [20, [save(4, 7n), leave(2, 1_000_000_000n), save(RETURNING_SAVER, 2n, 'reef')]],
  [30, [payAllBack, invest(EMPTIED_VAULT)]],
  [31, [takeAllOut, leave(RETURNING_SAVER, 'all', 'reef')]],
  [40, [depositAction(RETURNING_BORROWER, PLAIN, [['SOL', 12n * THOUSAND]]), leave(3, 'all')]],
  [41, [borrowAction(RETURNING_BORROWER, PLAIN, [['USDC', 200n]])]],
  [45, [save(3, 3n), crash]],
  [55, [invest(EMPTIED_VAULT), save(11, 9n, 'credit'), save(RETURNING_SAVER, 1n, 'reef')]],
  [64, [leave(2, 'all'), leave(3, 'all'), leave(4, 'all')]],
]);

/** Additional wallets that act per hour. */
const SAVERS_AN_HOUR = 2;
const KEYS = ['prime', 'lighthouse', 'reef', 'keel'] as const;

/** More activity than usual, so that every kind of share and loan transaction happens. */
export function createBusyActions(
  seed: string,
): (context: SimulationContext, hour: number) => void {
  const random = createSeededRandom(`${seed}/busy`);
  const lending = assignStrategies(random);
  const tally = createActionCounts();
  return (simulation, hour) => {
    const context = { ...simulation, random: random };
    for (const action of PLANNED.get(hour) ?? []) action(context, tally);
    if (hour < 4) return;
    for (let i = 0; i < SAVERS_AN_HOUR; i++) {
      // few wallets, so that they act repeatedly
      const wallet = Number(random.between(87n, 91n));
      vaultStrategy({ vault: random.pick(KEYS), usd: 4_000n })(context, wallet, tally);
    }
    const borrower = Number(random.between(9n, 86n));
    for (const behavior of lending[borrower] ?? []) behavior(context, borrower, tally);
    const vault = simulation.metadata.vaults[hour % 5];
    if (vault === undefined || hour % 4 !== 0) return;
    for (const record of investVault(
      simulation.simulator,
      vault.address,
      simulation.agents.marketMaker,
    )) {
      attempt(tally, () => record);
    }
  };
}
