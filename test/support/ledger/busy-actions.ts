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

/** Opened, used and left by everybody again. */
export const EMPTIED_VAULT: VaultKey = 'empty';
/** Who has a loan, pays it back, takes everything out, and begins again. */
const RETURNING_BORROWER = 7;
/** The same of shares. */
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

const payAllBack: ScriptedAction = (scenery, tally) => {
  const { simulator, agents, keys } = scenery;
  const loan = walletLoan(scenery, RETURNING_BORROWER, { ...PLAIN, collateral: 'SOL' });
  const side = { owner: loan.owner, maker: agents.marketMaker };
  ensureBalance(simulator, side, { token: tokenBySymbol('USDC'), amount: 50_000_000_000n });
  const reserve = reserveAddress(keys, 'main', 'USDC');
  attempt(tally, () => executeRepay(simulator, loan, { reserve, amount: 'all' }));
};

const takeAllOut: ScriptedAction = (scenery, tally) => {
  const { simulator, keys } = scenery;
  const loan = walletLoan(scenery, RETURNING_BORROWER, { ...PLAIN, collateral: 'SOL' });
  const reserve = reserveAddress(keys, 'main', 'SOL');
  attempt(tally, () => executeWithdraw(simulator, loan, { reserve, amount: 'all' }));
};

/** Until the oracle tells its next prices SOL is worth three quarters: loans that are full are liquidated. */
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
    // what it is worth is in the account only once somebody has refreshed it
    simulator.execute({ instructions: refreshInstructions(simulator, address), signers: [agents.keeper] });
    const record = liquidateLoan(simulator, address, agents.marketMaker);
    if (record !== undefined) attempt(tally, () => record);
  }
};

/** By the hour since the founding. */
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

/** So many of these act in an hour, beside those who do anyway. */
const SAVERS_AN_HOUR = 2;
const KEYS = ['prime', 'lighthouse', 'reef', 'keel'] as const;

/** More than people usually do in a few days, so that everything that can happen to shares and loans does. */
export function createBusyActions(
  seed: string,
): (scenery: SimulationContext, hour: number) => void {
  const dice = createSeededRandom(`${seed}/busy`);
  const lending = assignStrategies(dice);
  const tally = createActionCounts();
  return (stage, hour) => {
    const scenery = { ...stage, random: dice };
    for (const act of PLANNED.get(hour) ?? []) act(scenery, tally);
    if (hour < 4) return;
    for (let i = 0; i < SAVERS_AN_HOUR; i++) {
      // few of them, so that the same ones come again
      const wallet = Number(dice.between(87n, 91n));
      vaultStrategy({ vault: dice.pick(KEYS), usd: 4_000n })(scenery, wallet, tally);
    }
    const borrower = Number(dice.between(9n, 86n));
    for (const habit of lending[borrower] ?? []) habit(scenery, borrower, tally);
    const vault = stage.metadata.vaults[hour % 5];
    if (vault === undefined || hour % 4 !== 0) return;
    for (const record of investVault(stage.simulator, vault.address, stage.agents.marketMaker)) {
      attempt(tally, () => record);
    }
  };
}
