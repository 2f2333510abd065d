import { randomBytes } from 'node:crypto';
import { test } from 'vitest';
import { onPglite } from '../support/history/history-engines.ts';
import { type BusySimulation, recordBusySimulation } from '../support/ledger/busy-simulation.ts';
import {
  reconcileDailyEarnings,
  reconcileEmptiedVault,
} from '../support/ledger/reconcile-conservation.ts';
import {
  reconcileMarketHistory,
  reconcileReserveHistory,
} from '../support/ledger/reconcile-lending.ts';
import { reconcileLoanHistory, reconcileLoanPnl } from '../support/ledger/reconcile-loans.ts';
import { reconcileNetValues } from '../support/ledger/reconcile-net-values.ts';
import {
  expectCurrentLastPoints,
  expectGrowingVaults,
  expectJoinedLabels,
  expectJoinedLoans,
  expectLastingEarnings,
} from '../support/ledger/reconcile-rules.ts';
import {
  reconcileSummary,
  reconcileVaultHistory,
  reconcileVaultMetrics,
  reconcileVolumes,
} from '../support/ledger/reconcile-vaults.ts';
import {
  reconcileTransactions,
  reconcileWalletHistory,
  reconcileWalletPnl,
  reconcileWalletTotals,
} from '../support/ledger/reconcile-wallets.ts';
import {
  createLedgerIndexes,
  type LedgerIndexes,
  type Reconciliation,
  startReconciliation,
} from '../support/ledger/reconciliation.ts';

/** Selects the wallets, loans and times to check. `random` selects others in each run; its name has the seed. */
const { PROOF_SEED = 'ledger' } = process.env;
const SEED = PROOF_SEED === 'random' ? randomBytes(4).toString('hex') : PROOF_SEED;

/** The first test runs the simulation. */

/** Shared by all tests of the file. */
let simulating:
  | Promise<{ readonly days: BusySimulation; readonly indexes: LedgerIndexes }>
  | undefined;

onPglite(`history equals an independent ledger, PROOF_SEED=${SEED}`, (engine) => {
  const start = async (): Promise<Reconciliation> => {
    simulating ??= engine.shared().then(async (history) => {
      const days = await recordBusySimulation(history);
      return { days, indexes: createLedgerIndexes(days) };
    });
    const { days, indexes } = await simulating;
    return await startReconciliation(days, indexes, SEED);
  };

  test.each(['minute', 'hour', 'day'] as const)(
    'getReserveHistory per %s equals figures from the historical accounts',
    async (frequency) => reconcileReserveHistory(await start(), frequency),
  );

  test('getMarketHistory equals the totals of all reserves and the number of loans with positions', async () =>
    reconcileMarketHistory(await start()));

  test.each([false, true])(
    'getObligationHistory with useStakeRateForObligation=%s equals each loan before midnight',
    async (useStakeRate) => reconcileLoanHistory(await start(), useStakeRate),
  );

  test('getObligationPnl equals the value of a loan minus its net cash flow', async () =>
    reconcileLoanPnl(await start()));

  test('getVaultMetrics equals figures from current accounts and earlier samples', async () =>
    reconcileVaultMetrics(await start()));

  test('getVaultMetricsHistory equals the last sample of each hour', async () =>
    reconcileVaultHistory(await start()));

  test('getVaultAllocationVolumeHistory equals all moves between the vault and reserves', async () =>
    reconcileVolumes(await start()));

  test.each(['default', 'private-credit'])(
    'getEarnSummary of %s vaults equals the sum of their earnings',
    async (type) => reconcileSummary(await start(), type),
  );

  test('listUserVaultTransactions equals the effects of a wallet’s transactions', async () =>
    reconcileTransactions(await start()));

  test('getUserVaultHistory equals the value and earnings of a wallet’s shares', async () =>
    reconcileWalletHistory(await start()));

  test('getUserEarnHistory equals the sum over the vaults of a wallet', async () =>
    reconcileWalletTotals(await start()));

  test('getUserVaultPnl and its history equal average-cost accounting up to any time', async () =>
    reconcileWalletPnl(await start()));

  test('the daily earnings of all wallets equal the earnings of the vault minus its fees', async () =>
    reconcileDailyEarnings(await start()));

  test('profits of all depositors plus fees equal the interest of the vault', async () =>
    reconcileEmptiedVault(await start()));

  test('histories of vaults, reserves and holders agree at each time', async () =>
    expectJoinedLabels(await start()));

  test('histories of loans and reserves agree at each time', async () =>
    expectJoinedLoans(await start()));

  test('earnings of a wallet fall only if the share price after fees does', async () =>
    expectLastingEarnings(await start()));

  test('interest of a vault never falls, and its allocation is at most all of it', async () =>
    expectGrowingVaults(await start()));

  test('the last point of every history equals the current state', async () =>
    expectCurrentLastPoints(await start()));

  test('getOwnerNetValueHistory equals the sums of loan and vault histories, its last point the portfolio', async () =>
    reconcileNetValues(await start()));
});
