import { beforeAll, expect, test } from 'vitest';
import type { ChainData, VerifiableRequest } from '#client/verify/index.ts';
import { borrowBuilder } from '#core/builders/lending/borrow-builder.ts';
import { depositBuilder } from '#core/builders/lending/deposit-builder.ts';
import { BuildRun } from '../../support/verify/build-run.ts';
import { planBuilds } from '../../support/verify/plan-builds.ts';
import { type VerifiedBuild, verifyBuild } from '../../support/verify/verified-build.ts';

const builds: VerifiedBuild[] = [];

/** A deposit of 1,000 dollars; 200, then 100 borrowed dollars. */
beforeAll(async () => {
  const run = new BuildRun('borrow limits', async ({ build }) => void builds.push(build));
  const { market, reserves } = run.lendingReserves();
  const [collateral, debt] = reserves;
  if (collateral === undefined || debt === undefined) throw new Error('no reserves');
  run.fund(collateral, 2_000n);
  run.cluster.advanceWithMaintenance(10n);
  const { wallet } = run;
  const deposit = { wallet, market, reserve: collateral, amount: run.units(collateral, 1_000n) };
  run.execute(run.build(depositBuilder, deposit), 'deposit');
  for (const dollars of [200n, 100n]) {
    const base = { wallet, market, reserve: debt };
    const amount = run.units(debt, dollars);
    const request = {
      operation: 'lend-borrow',
      ...base,
      amount: run.tokens(debt, amount),
    } as const;
    await run.run(borrowBuilder, { ...base, amount }, request);
  }
});

const codesOf = async (
  build: VerifiedBuild | undefined,
  maxLtv: string | undefined,
  change: (chainData: ChainData) => ChainData = (each) => each,
): Promise<readonly string[]> => {
  if (build === undefined) throw new Error('no build');
  const request = { ...build.request, ...(maxLtv && { maxLtv }) } as VerifiableRequest;
  const chainData = change(build.chainData);
  return (await verifyBuild({ ...build, request, chainData })).reasons.map(({ code }) => code);
};

/** A ratio with the borrow factor of the debt, and some percent more. */
function limit(build: VerifiedBuild | undefined, ratio: number, percent: number): string {
  const debt = build && 'reserve' in build.request ? build.request.reserve : debtOf(build);
  const { borrowFactorPct } = build?.chainData.reserves?.[debt ?? ''] ?? {};
  return ((ratio * Number(borrowFactorPct) * (100 + percent)) / 10_000).toFixed(6);
}

const debtOf = (build: VerifiedBuild | undefined): string | undefined =>
  build && 'debtReserve' in build.request ? build.request.debtReserve : undefined;

test.each([
  [0, 0.2],
  [1, 0.3],
])('borrow %d is within a limit only if the ratio afterwards is', async (index, ratio) => {
  const build = builds[index];
  expect(await codesOf(build, undefined)).toEqual([]);
  expect(await codesOf(build, limit(build, ratio, 3))).toEqual([]);
  expect(await codesOf(build, limit(build, ratio, 0))).toEqual(['LTV_TOO_HIGH']);
});

test('the fee of a borrow is a debt, too', async () => {
  const [build] = builds;
  const expensive = ({ reserves = {}, ...rest }: ChainData): ChainData => ({
    ...rest,
    reserves: Object.fromEntries(
      Object.entries(reserves).map(([address, data]) => [
        address,
        { ...data, originationFeeSf: (1n << 59n).toString() },
      ]),
    ),
  });
  expect(await codesOf(build, limit(build, 0.2, 48), expensive)).toEqual(['LTV_TOO_HIGH']);
  expect(await codesOf(build, limit(build, 0.2, 55), expensive)).toEqual([]);
});

test('a limit needs the loan and its reserves', async () => {
  const [build] = builds;
  if (build === undefined || !('reserve' in build.request)) throw new Error('no build');
  const { decimals } = build.chainData.reserves?.[build.request.reserve ?? ''] ?? {};
  const withDecimals = { ...build, request: { ...build.request, decimals } } as VerifiedBuild;
  const without = ({ loan: _, ...rest }: ChainData): ChainData => rest;
  expect(await codesOf(build, '0.9', without)).toContain('MISSING_CHAIN_DATA');
  const withoutReserves = ({ loan }: ChainData): ChainData => ({ loan: loan ?? null });
  expect(await codesOf(withDecimals, '0.9', withoutReserves)).toContain('MISSING_CHAIN_DATA');
  const withoutLoan = (chainData: ChainData): ChainData => ({ ...chainData, loan: null });
  expect(await codesOf(build, '0.9', withoutLoan)).toContain('LTV_TOO_HIGH');
});

test('more leverage is within a limit only if the ratio afterwards is', async () => {
  // 1,000 and 50 own dollars, 100 of a flash loan; 300 and 100 borrowed
  const build = (await planBuilds(['0'])).find(
    ({ request }) => request.operation === 'lend-multiply',
  );
  const ratio = 400 / 1_150;
  expect(await codesOf(build, undefined)).toEqual([]);
  expect(await codesOf(build, limit(build, ratio, 4))).toEqual([]);
  expect(await codesOf(build, limit(build, ratio, 0))).toEqual(['LTV_TOO_HIGH']);
  // a new loan has only what the transaction adds
  const opened = (chainData: ChainData): ChainData => ({ ...chainData, loan: null });
  expect(await codesOf(build, limit(build, 100 / 150, 0), opened)).toContain('LTV_TOO_HIGH');
  expect(await codesOf(build, limit(build, 100 / 150, 4), opened)).not.toContain('LTV_TOO_HIGH');
});
