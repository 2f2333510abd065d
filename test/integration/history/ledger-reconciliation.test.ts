import { randomBytes } from 'node:crypto';
import { test } from 'vitest';
import { onPglite } from '../../support/history/history-engines.ts';
import { type BusySimulation, recordBusySimulation } from '../../support/ledger/busy-simulation.ts';
import {
  reconcileDailyEarnings,
  reconcileEmptiedVault,
} from '../../support/ledger/reconcile-conservation.ts';
import {
  reconcileMarketHistory,
  reconcileReserveHistory,
} from '../../support/ledger/reconcile-lending.ts';
import { reconcileLoanHistory, reconcileLoanPnl } from '../../support/ledger/reconcile-loans.ts';
import {
  reconcileSummary,
  reconcileVaultHistory,
  reconcileVaultMetrics,
  reconcileVolumes,
} from '../../support/ledger/reconcile-vaults.ts';
import {
  reconcileTransactions,
  reconcileWalletHistory,
  reconcileWalletPnl,
  reconcileWalletTotals,
} from '../../support/ledger/reconcile-wallets.ts';
import {
  createLedgerIndexes,
  type LedgerIndexes,
  type Reconciliation,
  startReconciliation,
} from '../../support/ledger/reconciliation.ts';

/** Which wallets, loans and times are looked at. One that failed can be given again. */
const SEED = process.env['PROOF_SEED'] ?? randomBytes(4).toString('hex');

/** The first one plays. */
const SLOW = { timeout: 180_000 };

/** Played once for all tests of the file. */
let playing: Promise<{ readonly days: BusySimulation; readonly books: LedgerIndexes }> | undefined;

onPglite(`the past is what a ledger gives, PROOF_SEED=${SEED}`, (engine) => {
  const start = async (): Promise<Reconciliation> => {
    playing ??= engine.shared().then(async (history) => {
      const days = await recordBusySimulation(history);
      return { days, books: createLedgerIndexes(days) };
    });
    const { days, books } = await playing;
    return await startReconciliation(days, books, SEED);
  };

  test.each(['minute', 'hour', 'day'] as const)(
    'getReserveHistory by the %s: what the accounts of then give',
    SLOW,
    async (frequency) => reconcileReserveHistory(await start(), frequency),
  );

  test(
    'getMarketHistory: the sum of all reserves, and how many loans are not empty',
    SLOW,
    async () => reconcileMarketHistory(await start()),
  );

  test.each([false, true])(
    'getObligationHistory, useStakeRateForObligation=%s: each loan as it stood before midnight',
    SLOW,
    async (useStakeRate) => reconcileLoanHistory(await start(), useStakeRate),
  );

  test('getObligationPnl: what a loan is worth less the cash that went into it', SLOW, async () =>
    reconcileLoanPnl(await start()),
  );

  test('getVaultMetrics: what the accounts of now and the samples before give', SLOW, async () =>
    reconcileVaultMetrics(await start()),
  );

  test('getVaultMetricsHistory: each hour as its last sample found it', SLOW, async () =>
    reconcileVaultHistory(await start()),
  );

  test('getVaultAllocationVolumeHistory: all that went into and out of reserves', SLOW, async () =>
    reconcileVolumes(await start()),
  );

  test.each(['default', 'private-credit'])(
    'getEarnSummary of %s vaults: the sum of what they earned',
    SLOW,
    async (type) => reconcileSummary(await start(), type),
  );

  test('listUserVaultTransactions: what the transactions of a wallet did', SLOW, async () =>
    reconcileTransactions(await start()),
  );

  test('getUserVaultHistory: what the shares of a wallet were worth and earned', SLOW, async () =>
    reconcileWalletHistory(await start()),
  );

  test('getUserEarnHistory: the sum over the vaults of a wallet', SLOW, async () =>
    reconcileWalletTotals(await start()),
  );

  test(
    'getUserVaultPnl and its history: average-cost accounting up to any instant',
    SLOW,
    async () => reconcileWalletPnl(await start()),
  );

  test('all wallets earn of a vault in a day what it earns less its fees', SLOW, async () =>
    reconcileDailyEarnings(await start()),
  );

  test(
    'profits of all who were in a vault, and its fees, are the interest of one that is left',
    SLOW,
    async () => reconcileEmptiedVault(await start()),
  );
});
