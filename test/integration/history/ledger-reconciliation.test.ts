import { randomBytes } from 'node:crypto';
import { test } from 'vitest';
import { onEmbedded } from '../../support/history/history-engines.ts';
import { type BusyDays, recordBusyDays } from '../../support/ledger/busy-simulation.ts';
import {
  proveEarnedByDay,
  proveEmptiedVault,
} from '../../support/ledger/reconcile-conservation.ts';
import { proveMarketHistory, proveReserveHistory } from '../../support/ledger/reconcile-lending.ts';
import { proveLoanHistory, proveLoanPnl } from '../../support/ledger/reconcile-loans.ts';
import {
  proveSummary,
  proveVaultHistory,
  proveVaultMetrics,
  proveVolumes,
} from '../../support/ledger/reconcile-vaults.ts';
import {
  proveTransactions,
  proveWalletHistory,
  proveWalletPnl,
  proveWalletTotals,
} from '../../support/ledger/reconcile-wallets.ts';
import {
  type Books,
  openBooks,
  type Proof,
  startProof,
} from '../../support/ledger/reconciliation.ts';

/** Which wallets, loans and times are looked at. One that failed can be given again. */
const SEED = process.env['PROOF_SEED'] ?? randomBytes(4).toString('hex');

/** The first one plays. */
const SLOW = { timeout: 180_000 };

/** Played once for all tests of the file. */
let playing: Promise<{ readonly days: BusyDays; readonly books: Books }> | undefined;

onEmbedded(`the past is what a ledger gives, PROOF_SEED=${SEED}`, (engine) => {
  const start = async (): Promise<Proof> => {
    playing ??= engine.shared().then(async (history) => {
      const days = await recordBusyDays(history);
      return { days, books: openBooks(days) };
    });
    const { days, books } = await playing;
    return await startProof(days, books, SEED);
  };

  test.each(['minute', 'hour', 'day'] as const)(
    'getReserveHistory by the %s: what the accounts of then give',
    SLOW,
    async (frequency) => proveReserveHistory(await start(), frequency),
  );

  test(
    'getMarketHistory: the sum of all reserves, and how many loans are not empty',
    SLOW,
    async () => proveMarketHistory(await start()),
  );

  test.each([false, true])(
    'getObligationHistory, useStakeRateForObligation=%s: each loan as it stood before midnight',
    SLOW,
    async (useStakeRate) => proveLoanHistory(await start(), useStakeRate),
  );

  test('getObligationPnl: what a loan is worth less the cash that went into it', SLOW, async () =>
    proveLoanPnl(await start()),
  );

  test('getVaultMetrics: what the accounts of now and the samples before give', SLOW, async () =>
    proveVaultMetrics(await start()),
  );

  test('getVaultMetricsHistory: each hour as its last sample found it', SLOW, async () =>
    proveVaultHistory(await start()),
  );

  test('getVaultAllocationVolumeHistory: all that went into and out of reserves', SLOW, async () =>
    proveVolumes(await start()),
  );

  test.each(['default', 'private-credit'])(
    'getEarnSummary of %s vaults: the sum of what they earned',
    SLOW,
    async (type) => proveSummary(await start(), type),
  );

  test('listUserVaultTransactions: what the transactions of a wallet did', SLOW, async () =>
    proveTransactions(await start()),
  );

  test('getUserVaultHistory: what the shares of a wallet were worth and earned', SLOW, async () =>
    proveWalletHistory(await start()),
  );

  test('getUserEarnHistory: the sum over the vaults of a wallet', SLOW, async () =>
    proveWalletTotals(await start()),
  );

  test(
    'getUserVaultPnl and its history: average-cost accounting up to any instant',
    SLOW,
    async () => proveWalletPnl(await start()),
  );

  test('all wallets earn of a vault in a day what it earns less its fees', SLOW, async () =>
    proveEarnedByDay(await start()),
  );

  test(
    'profits of all who were in a vault, and its fees, are the interest of one that is left',
    SLOW,
    async () => proveEmptiedVault(await start()),
  );
});
