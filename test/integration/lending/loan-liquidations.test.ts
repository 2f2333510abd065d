import { expect, test } from 'vitest';
import { reserve } from '#core/protocol/klend/layout/reserve.ts';
import { goldenCluster } from '../../support/golden/golden.ts';
import { goldenClusters } from '../../support/golden/golden-clusters.ts';
import { goldenReader } from '../../support/golden/golden-reader.ts';
import { goldenWithAccounts } from '../../support/golden/golden-variants.ts';
import { goldenApi, startApi } from '../../support/http/test-api.ts';
import { vanillaGoldenLoans } from '../../support/lending/changed-golden-loans.ts';

const indebted = () => {
  const loan = vanillaGoldenLoans().find(({ fields }) => fields.hasDebt !== 0);
  if (loan === undefined) throw new Error('no loan with debt');
  return loan;
};

const liquidations = (address: string) => `/klend/loans/${address}/liquidations`;

test('a golden loan is safe, and an unknown one is 404', async () => {
  const { address, fields } = indebted();
  const { get } = await goldenApi();
  expect((await get(liquidations(address))).body).toEqual({
    loanId: address,
    isLiquidatable: false,
    liquidations: [],
  });
  expect((await get(liquidations(fields.lendingMarket))).status).toBe(404);
});

test('with lower thresholds it can be liquidated', async () => {
  const { address } = indebted();
  const changes = [...goldenCluster().accounts].flatMap(([key, account]) => {
    if (!reserve.matches(account)) return [];
    const before = reserve.decode(account);
    const config = { ...before.config, loanToValuePct: 1, liquidationThresholdPct: 1 };
    return [[key, { ...account, data: reserve.encode({ ...before, config }) }] as const];
  });
  const clusters = goldenClusters({ reader: goldenReader(goldenWithAccounts(changes)) });
  const { get } = await startApi({ clusters });
  const { status, body } = await get(liquidations(address));
  expect(status).toBe(200);
  expect(body).toMatchObject({
    isLiquidatable: true,
    liquidations: expect.arrayContaining([expect.objectContaining({ reason: 'ltvExceeded' })]),
  });
  const [first] = (body as { liquidations: readonly Record<string, string>[] }).liquidations;
  const [repaid, seized, bonus] = ['repayUsdValue', 'seizedUsdValue', 'bonus'].map((name) =>
    Number(first?.[name]),
  );
  expect((seized ?? 0) / (repaid ?? 1)).toBeCloseTo(1 + (bonus ?? 0), 3);
});
