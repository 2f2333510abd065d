import { expect } from 'vitest';
import type { RunningApi } from '../http/test-api.ts';
import { BUSY_SIMULATION, type BusySimulation } from './busy-simulation.ts';
import type { Reconciliation } from './reconciliation.ts';

const DAY = 86_400;
const WALLETS = 20;

type NetValue = Readonly<Record<'createdOn' | 'klendUsd' | 'kvaultsUsd', string>> & {
  readonly stakingUsd: string | null;
};
type Loan = { readonly netValue: string };
type Portfolio = Readonly<
  Record<'lending' | 'multiply' | 'leverage' | 'earn' | 'privateCredit', Loan[]>
> & {
  readonly staking: { readonly value: string | null }[];
};
type LoanPoint = {
  readonly timestamp: string;
  readonly refreshedStats: { readonly netAccountValue: string };
};

const add = (values: readonly (string | null)[]): number =>
  values.reduce((sum, value) => sum + Number(value), 0);

const expectNear = (actual: string | null | undefined, expected: number): void =>
  expect(Math.abs(Number(actual) - expected)).toBeLessThanOrEqual(
    1e-11 * Math.max(1, Math.abs(expected)),
  );

/** The wallets with loans or staked shares. Iterators return the same object for each account. */
function walletsOf({ state }: BusySimulation): ReadonlySet<string> {
  const wallets = new Set<string>();
  for (const { address } of state.markets()) {
    for (const { fields } of state.obligationsIn(address)) wallets.add(fields.owner);
  }
  for (const { fields: vault } of state.vaults()) {
    for (const { fields } of state.farmUsersIn(vault.vaultFarm)) wallets.add(fields.owner);
  }
  return wallets;
}

/** The sum of the loan histories of a wallet by time, at midnights and now. */
async function loanValues(api: RunningApi, { state }: BusySimulation, wallet: string) {
  const values = new Map<string, number>();
  for (const { address: market } of state.markets()) {
    const list = (await api.get(`/svc-market/${market}/users/${wallet}/obligations`)).body;
    for (const { obligationAddress } of list as { obligationAddress: string }[]) {
      const path = `/v2/svc-market/${market}/obligations/${obligationAddress}/metrics/history`;
      const { history } = (await api.get(path)).body as { history: LoanPoint[] };
      for (const { timestamp, refreshedStats } of history) {
        const before = values.get(timestamp) ?? 0;
        values.set(timestamp, before + Number(refreshedStats.netAccountValue));
      }
    }
  }
  return values;
}

/** Points equal the sums of the loan and vault histories, the last one the portfolio. */
export async function reconcileNetValues(proof: Reconciliation): Promise<void> {
  const compared = { loans: 0, shares: 0 };
  for (const wallet of proof.random.some([...walletsOf(proof)], WALLETS)) {
    const points = await readPoints(proof, wallet);
    compared.shares += await compareShares(proof, wallet, points);
    compared.loans += await compareLoans(proof, wallet, points);
    await compareLast(proof, wallet, points.at(-1));
    await compareDaily(proof, wallet, points);
  }
  expect(compared.loans).toBeGreaterThan(0);
  expect(compared.shares).toBeGreaterThan(100);
}

const isoOf = (unix: number): string => new Date(unix * 1000).toISOString();
const startOf = ({ end }: Reconciliation): string =>
  isoOf(Number(end.unix) - BUSY_SIMULATION.days * DAY);

async function readPoints(proof: Reconciliation, wallet: string): Promise<readonly NetValue[]> {
  const path = `/owners/${wallet}/net-values/history?start=${startOf(proof)}`;
  return (await proof.api.get(path)).body as NetValue[];
}

async function compareShares(
  proof: Reconciliation,
  wallet: string,
  points: readonly NetValue[],
): Promise<number> {
  const path = `/kvaults/users/${wallet}/metrics/history?start=${startOf(proof)}`;
  const earn = (await proof.api.get(path)).body as { createdOn: string; usdAmount: string }[];
  const byTime = new Map(earn.map(({ createdOn, usdAmount }) => [createdOn, usdAmount]));
  for (const { createdOn, kvaultsUsd } of points) {
    expectNear(kvaultsUsd, Number(byTime.get(createdOn) ?? 0));
  }
  return points.filter(({ kvaultsUsd }) => kvaultsUsd !== '0').length;
}

async function compareLoans(
  proof: Reconciliation,
  wallet: string,
  points: readonly NetValue[],
): Promise<number> {
  const byTime = new Map(points.map((point) => [point.createdOn, point]));
  const loans = [...(await loanValues(proof.api, proof, wallet))];
  const recent = loans.filter(([time]) => time >= startOf(proof));
  for (const [time, value] of recent) expectNear(byTime.get(time)?.klendUsd, value);
  return recent.length;
}

async function compareLast(
  proof: Reconciliation,
  wallet: string,
  last: NetValue | undefined,
): Promise<void> {
  const portfolio = (await proof.api.get(`/portfolio/${wallet}`)).body as Portfolio;
  const { lending, multiply, leverage, earn, privateCredit, staking } = portfolio;
  expect(last?.createdOn).toBe(isoOf(Number(proof.end.unix)));
  const sum = (items: readonly Loan[]) => add(items.map(({ netValue }) => netValue));
  expectNear(last?.klendUsd, sum([...lending, ...multiply, ...leverage]));
  expectNear(last?.kvaultsUsd, sum([...earn, ...privateCredit]));
  expectNear(last?.stakingUsd, add(staking.map(({ value }) => value)));
}

/** The current state takes the place of the running day. */
async function compareDaily(
  proof: Reconciliation,
  wallet: string,
  points: readonly NetValue[],
): Promise<void> {
  const end = Number(proof.end.unix);
  const today = isoOf(end - (end % DAY));
  const last = points.at(-1);
  const isDaily = (point: NetValue): boolean =>
    point === last || (point.createdOn < today && point.createdOn.endsWith('T00:00:00.000Z'));
  const daily = (await proof.api.get(`/owners/${wallet}/net-values/history`)).body;
  expect(daily).toEqual(points.filter(isDaily));
}
