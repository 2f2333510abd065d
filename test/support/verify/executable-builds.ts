import type { Address } from '#core/base/encoding/address.ts';
import { borrowBuilder } from '#core/builders/lending/borrow-builder.ts';
import { depositBuilder } from '#core/builders/lending/deposit-builder.ts';
import { repayBuilder } from '#core/builders/lending/repay-builder.ts';
import { withdrawBuilder } from '#core/builders/lending/withdraw-builder.ts';
import { liquidationBuilder } from '#core/builders/liquidation/liquidation-builder.ts';
import { PlanRun } from '../random/plan-run.ts';
import { BuildRun, clusterOptions, type Visit } from './build-run.ts';
import { visitVaultBuilds } from './executable-vault-builds.ts';
import { chainDataFrom } from './verified-build.ts';

const lendingBuilders = {
  deposit: depositBuilder,
  borrow: borrowBuilder,
  repay: repayBuilder,
  withdraw: withdrawBuilder,
};

/** Visits transactions of each operation, at the slot for which they were built. */
export async function visitExecutableBuilds(visit: Visit): Promise<void> {
  await visitLendingBuilds(visit);
  await visitVaultBuilds(visit);
  await visitLiquidations(visit);
  const plans = new PlanRun({
    ...clusterOptions(),
    seed: '1',
    onBuild: async ({ build, request, findAccount, cluster }) => {
      const chainData = await chainDataFrom(findAccount, request);
      await visit({ build: { ...build, name: request.operation, request, chainData }, cluster });
    },
  });
  await plans.leverageAndExit();
}

type Lend = (
  action: keyof typeof lendingBuilders,
  reserve: Address,
  dollars: bigint | 'all',
) => Promise<void>;

const lendOn =
  (run: BuildRun, market: Address): Lend =>
  async (action, reserve, dollars) => {
    const amount = dollars === 'all' ? dollars : run.units(reserve, dollars);
    const base = { wallet: run.wallet, market, reserve };
    await run.run(
      lendingBuilders[action],
      { ...base, amount },
      {
        operation: `lend-${action}`,
        ...base,
        amount: run.tokens(reserve, amount),
        ...((action === 'withdraw' || action === 'borrow') && { maxLtv: '0.9' }),
        ...(action === 'repay' && amount === 'all' && { maxAmount: '1000' }),
      },
    );
  };

async function visitLendingBuilds(visit: Visit): Promise<void> {
  const run = new BuildRun('operations', visit);
  const { market, reserves } = run.lendingReserves();
  const [collateral, debt] = reserves;
  if (collateral === undefined || debt === undefined) throw new Error('no reserves');
  run.fund(collateral, 2_000n);
  run.fund(debt, 2_000n);
  run.cluster.advanceWithMaintenance(10n);
  const lend = lendOn(run, market);
  await lend('deposit', collateral, 1_000n);
  await lend('borrow', debt, 200n);
  await lend('repay', debt, 50n);
  await lend('withdraw', collateral, 100n);
  await lend('repay', debt, 'all');
  await lend('withdraw', collateral, 'all');
}

/** Percent of a debt's price at which the loan of the visited liquidation can be liquidated. */
const RISEN = 200n;

/** A part of a debt with a minimum, and as much as the program allows, of a loan of another wallet. */
async function visitLiquidations(visit: Visit): Promise<void> {
  const borrower = new BuildRun('borrower', async () => undefined);
  const { cluster } = borrower;
  const { market, reserves } = borrower.lendingReserves();
  const [withdrawReserve, repayReserve] = reserves;
  if (withdrawReserve === undefined || repayReserve === undefined) throw new Error('no reserves');
  const run = new BuildRun('liquidator', visit, cluster);
  borrower.fund(withdrawReserve, 2_000n);
  run.fund(repayReserve, 2_000n);
  cluster.advanceWithMaintenance(10n);
  const lend = lendOn(borrower, market);
  await lend('deposit', withdrawReserve, 1_000n);
  await lend('borrow', repayReserve, 500n);
  const [loan] = cluster.state.obligationsOf(borrower.wallet);
  if (loan === undefined) throw new Error('no loan');
  cluster.movePrice(repayReserve, RISEN);
  cluster.advanceWithMaintenance(10n);
  const base = { wallet: run.wallet, market, loan: loan.address, repayReserve, withdrawReserve };
  const [amount, minReceived] = [run.units(repayReserve, 40n), run.units(withdrawReserve, 20n)];
  await run.run(
    liquidationBuilder,
    { ...base, amount, minReceived },
    {
      operation: 'lend-liquidate',
      ...base,
      amount: run.tokens(repayReserve, amount),
      minReceivedAmount: run.tokens(withdrawReserve, minReceived),
    },
  );
  await run.run(
    liquidationBuilder,
    { ...base, amount: 'all' },
    { operation: 'lend-liquidate', ...base, amount: 'U64::MAX', maxAmount: '1000' },
  );
}
