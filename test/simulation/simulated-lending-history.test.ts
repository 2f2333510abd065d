import { expect, test } from 'vitest';
import { onPglite } from '../support/history/history-engines.ts';
import {
  type RecordedSimulation,
  recordSimulation,
  startSimulationApi,
} from '../support/history/recorded-simulation.ts';
import type { RunningApi } from '../support/http/test-api.ts';

type Point = { timestamp: string; metrics: Record<string, string> };
type Loan = {
  obligationAddress: string;
  refreshedStats: Record<string, string>;
  state: { deposits: object[]; borrows: object[] };
};

/** Shared by all tests of the file. */
let recording: Promise<RecordedSimulation> | undefined;

onPglite('lending history of a simulation', (engine) => {
  const start = async (): Promise<{ api: RunningApi; recorded: RecordedSimulation }> => {
    recording ??= engine.shared().then((history) => recordSimulation(PLAN, history));
    const recorded = await recording;
    return { api: await startSimulationApi(recorded), recorded };
  };

  test('the newest point of each reserve equals the current reserve', async () => {
    const { api, recorded } = await start();
    const { market } = recorded.metadata.demo;
    const { body } = await api.get(`/svc-market/${market}/reserves/metrics`);
    const reserves = body as Record<string, string>[];
    expect(reserves.length).toBeGreaterThan(3);
    for (const now of reserves) {
      const path = `/svc-market/${market}/reserves/${now['reserve']}/metrics/history`;
      const { history } = (await api.get(path)).body as { history: Point[] };
      const then = history.at(-1)?.metrics ?? {};
      close(then['totalSupply'], now['totalSupply']);
      close(then['totalBorrows'], now['totalBorrow']);
      close(then['depositTvl'], now['totalSupplyUsd']);
      close(then['supplyInterestAPY'], now['supplyApy']);
      close(then['borrowInterestAPY'], now['borrowApy']);
    }
  });

  test('market points equal the sums of the reserve points', async () => {
    const { api, recorded } = await start();
    const { market } = recorded.metadata.demo;
    const { body } = await api.get(`/svc-market/${market}/metrics/history`);
    const points = body as Point[];
    expect(points.length).toBeGreaterThan(1);
    const list = (await api.get(`/svc-market/${market}/reserves/metrics`)).body;
    let supplied = 0;
    let borrowed = 0;
    for (const { reserve } of list as { reserve: string }[]) {
      const path = `/svc-market/${market}/reserves/${reserve}/metrics/history?frequency=day`;
      const { history } = (await api.get(path)).body as { history: Point[] };
      supplied += Number(history.at(-1)?.metrics['depositTvl']);
      borrowed += Number(history.at(-1)?.metrics['borrowTvl']);
    }
    const last = points.at(-1)?.metrics;
    close(last?.['depositTVL'], String(supplied));
    close(last?.['borrowTVL'], String(borrowed));
  });

  test('loans have daily points, a PnL and transactions', async () => {
    const { api, recorded } = await start();
    const { market, wallet, obligation } = recorded.metadata.demo;
    const { body } = await api.get(`/svc-market/${market}/users/${wallet}/obligations`);
    const loan = (body as Loan[]).find(({ obligationAddress }) => obligationAddress === obligation);
    const path = `/v2/svc-market/${market}/obligations/${obligation}`;
    const { history } = (await api.get(`${path}/metrics/history`)).body as {
      history: { timestamp: string; refreshedStats: Record<string, string> }[];
    };
    expect(history.length).toBeGreaterThan(1);
    const [last, ...days] = history.toReversed();
    for (const { timestamp } of days) expect(timestamp).toMatch(/T00:00:00.000Z$/);
    expect(last?.timestamp).toBe(new Date(Number(recorded.state.at().unix) * 1000).toISOString());
    expect(last?.refreshedStats).toEqual(loan?.refreshedStats);

    const { transactions } = (await api.get(`${path}/transactions`)).body as {
      transactions: { transactionDisplayName: string; liquidityUsdValue: string }[];
    };
    const worth = (names: readonly string[]) =>
      transactions
        .filter(({ transactionDisplayName }) => names.includes(transactionDisplayName))
        .reduce((sum, { liquidityUsdValue }) => sum + Number(liquidityUsdValue), 0);
    const paidIn = worth(['Deposit', 'Repay', 'Deposit Collateral']);
    const takenOut = worth(['Withdraw', 'Borrow', 'Withdraw Collateral']);
    const pnl = (await api.get(`${path}/pnl?positionMode=obligation_all_time`)).body as {
      usd: string;
      invested: { usd: string };
    };
    expect(paidIn).toBeGreaterThan(0);
    close(pnl.invested.usd, String(paidIn - takenOut));
    const net = Number(loan?.refreshedStats['netAccountValue']);
    close(String(Number(pnl.usd) + Number(pnl.invested.usd)), String(net));
  });
});

const PLAN = { seed: 'tidegate', days: 3 };

/** For figures that were calculated in different ways. */
function close(actual: unknown, expected: unknown): void {
  const [a, b] = [Number(actual), Number(expected)];
  expect(Number.isFinite(a) && Number.isFinite(b), `${actual} for ${expected}`).toBe(true);
  expect(Math.abs(a - b)).toBeLessThanOrEqual(Math.abs(b) * 1e-9);
}
