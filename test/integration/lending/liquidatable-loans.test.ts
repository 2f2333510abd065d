import { expect, test } from 'vitest';
import { type Address, toAddress } from '#core/base/encoding/address.ts';
import { toSlot } from '#core/base/time.ts';
import { obligation } from '#core/protocol/klend/layout/obligation.ts';
import { reserve } from '#core/protocol/klend/layout/reserve.ts';
import { NEWEST_LENDING_RULES } from '#core/protocol/klend/releases.ts';
import { ClusterState } from '#core/state/cluster-state.ts';
import { snapshotMarket, viewLoan } from '#core/views/lending/index.ts';
import { readLoanRisk, riskOf, viewRiskScale } from '#core/views/lending/liquidation-risk.ts';
import { silentLog } from '../../support/fakes/silent-log.ts';
import { goldenCluster } from '../../support/golden/golden.ts';
import { goldenMarket } from '../../support/golden/golden-addresses.ts';
import { goldenClusters } from '../../support/golden/golden-clusters.ts';
import { goldenApi, startApi } from '../../support/http/test-api.ts';

const market = toAddress(goldenMarket('Main Market').address);

type Liquidation = Readonly<Record<string, string>>;
type Loan = { readonly loanId: string; readonly liquidations: readonly Liquidation[] };
type Answer = { readonly loans: readonly Loan[]; readonly hasMore: boolean };

/** A state whose reserves can change their liquidation threshold. */
function createState() {
  const { accounts, at } = goldenCluster();
  const state = new ClusterState({ log: silentLog });
  for (const [address, account] of accounts) state.apply({ address, account, slot: at.slot });
  state.setAt(at);
  let { slot } = at;
  const setThreshold = (pct: number) => {
    slot = toSlot(slot + 1n);
    for (const [address, account] of accounts) {
      if (!reserve.matches(account)) continue;
      const before = reserve.decode(account);
      const config = { ...before.config, loanToValuePct: 1, liquidationThresholdPct: pct };
      const data = reserve.encode({ ...before, config });
      state.apply({ address, account: { ...account, data }, slot });
    }
    state.setAt({ slot, unix: at.unix });
  };
  /** Repays all debts of a loan, without a transaction. */
  const clearDebts = (address: Address) => {
    slot = toSlot(slot + 1n);
    const account = accounts.get(address);
    if (account === undefined) throw new Error('no loan');
    const before = obligation.decode(account);
    const empty = obligation.body.decode(new DataView(new ArrayBuffer(obligation.body.size)), 0);
    const data = obligation.encode({ ...before, borrows: empty.borrows, hasDebt: 0 });
    state.apply({ address, account: { ...account, data }, slot });
    state.setAt({ slot, unix: at.unix });
  };
  return { state, setThreshold, clearDebts };
}

test('the loans are those whose own liquidations are not empty, and on the same terms', async () => {
  const { state, setThreshold, clearDebts } = createState();
  const { get } = await startApi({ clusters: goldenClusters({ reader: state }) });
  const list = async (query = '') =>
    (await get(`/klend/liquidatable?market=${market}${query}`)).body as Answer;
  /** Compares the list with the liquidations of every single loan. */
  const expectConsistent = async () => {
    const { loans } = await list('&limit=100');
    const expected: string[] = [];
    for (const { address } of [...state.obligationsIn(market)]) {
      const { body } = await get(`/klend/loans/${address}/liquidations`);
      const { isLiquidatable, liquidations } = body as Loan & { isLiquidatable: boolean };
      if (!isLiquidatable) continue;
      expected.push(address);
      const listed = loans.find(({ loanId }) => loanId === address)?.liquidations ?? [];
      expect(listed).toHaveLength(liquidations.length);
      expect(listed).toEqual(expect.arrayContaining([...liquidations]));
    }
    expect(loans.map(({ loanId }) => loanId).sort()).toEqual(expected.sort());
    return loans;
  };
  expect(await expectConsistent()).toHaveLength(1);
  setThreshold(1);
  const loans = await expectConsistent();
  expect(loans.length).toBeGreaterThan(1);

  const first = await list('&limit=1');
  expect(first).toMatchObject({ loans: [loans[0]], hasMore: true });
  expect((await list('&limit=1&offset=1')).loans[0]).toEqual(loans[1]);
  const largest = toAddress(loans[0]?.loanId ?? '');
  clearDebts(largest);
  expect((await list('&limit=100')).loans.map(({ loanId }) => loanId)).toEqual(
    loans.slice(1).map(({ loanId }) => loanId),
  );
  setThreshold(95);
  expect((await list()).loans).toEqual([]);
});

test('a loan is listed also if its change arrives after later slots', async () => {
  const { state, setThreshold, clearDebts } = createState();
  setThreshold(1);
  const { get } = await startApi({ clusters: goldenClusters({ reader: state }) });
  const list = async () => {
    const { body } = await get(`/klend/liquidatable?market=${market}&limit=100`);
    return (body as Answer).loans.map(({ loanId }) => loanId);
  };
  const all = await list();
  const largest = toAddress(all[0] ?? '');
  clearDebts(largest);
  const { slot, unix } = state.at();
  state.setAt({ slot: toSlot(slot + 10n), unix });
  expect(await list()).toEqual(all.slice(1));
  const account = goldenCluster().accounts.get(largest);
  state.apply({ address: largest, account, slot: toSlot(slot + 5n) });
  expect(await list()).toEqual(all);
});

test('the profit is what is received minus what is repaid', async () => {
  const { state, setThreshold } = createState();
  setThreshold(1);
  const { get } = await startApi({ clusters: goldenClusters({ reader: state }) });
  const { body } = await get(`/klend/liquidatable?market=${market}`);
  for (const each of (body as Answer).loans.flatMap(({ liquidations }) => liquidations)) {
    const value = (name: string) => Number(each[name]);
    const price = value('seizedUsdValue') / value('seizedAmount');
    const received = value('receivedAmount') + value('receivedCollateralAmount');
    expect(value('profitUsdValue')).toBeCloseTo(received * price - value('repayUsdValue'), 4);
    expect(received).toBeLessThanOrEqual(value('seizedAmount'));
  }
});

test('an unknown market is 404, and a request without one is 400', async () => {
  const { get } = await goldenApi();
  expect((await get('/klend/liquidatable?market=11111111111111111111111111111111')).status).toBe(
    404,
  );
  expect((await get('/klend/liquidatable')).status).toBe(400);
  expect((await get(`/klend/liquidatable?market=${market}&limit=101`)).status).toBe(400);
});

test('the approximate risk of every golden loan is its LTV over its threshold', () => {
  const { state } = createState();
  let compared = 0;
  for (const { address, ...stored } of state.markets()) {
    const snapshot = snapshotMarket({
      market: { address, ...stored },
      reserves: state.reservesOf(address),
      prices: (feed) => state.prices(feed),
      at: state.at(),
      slotMs: state.slotMs(),
      rules: NEWEST_LENDING_RULES,
    });
    const scale = viewRiskScale(snapshot);
    for (const loan of state.obligationsIn(address)) {
      const risk = readLoanRisk(loan.fields, scale);
      if (risk === undefined || risk.isSpecial) continue;
      const { currentLtv, liquidationLtv } = viewLoan(loan, snapshot);
      const exact = ratio(currentLtv) / ratio(liquidationLtv);
      expect(riskOf(risk, scale).risk / exact).toBeCloseTo(1, 9);
      compared += 1;
    }
  }
  expect(compared).toBeGreaterThan(2);
});

const ratio = ({ numerator, denominator }: { numerator: bigint; denominator: bigint }): number =>
  Number(numerator) / Number(denominator);
