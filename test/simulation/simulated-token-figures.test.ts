import { expect, test } from 'vitest';
import type { Address } from '#core/base/encoding/address.ts';
import type { ClusterAccount } from '#core/base/solana/cluster-account.ts';
import type { Slot } from '#core/base/time.ts';
import type { ClusterStep } from '#localnet/simulation/cluster-step.ts';
import type { Cluster } from '#server/clusters/served-clusters.ts';
import { onPglite } from '../support/history/history-engines.ts';
import { clusterOfSimulation, recordSimulation } from '../support/history/recorded-simulation.ts';
import { startTokenFiguresApi } from '../support/history/token-figures-api.ts';
import { type RunningApi, readJson } from '../support/http/test-api.ts';

const DAY_MS = 86_400_000;
const WRAPPED_SOL = 'So11111111111111111111111111111111111111112';

/** Instructions that move the token of a reserve or vault, each movement once. */
const LENDING_MOVES = [
  ...['deposit', 'withdraw', 'borrow', 'repay', 'flashBorrow', 'flashRepay'],
  ...['depositReserveLiquidity', 'redeemReserveCollateral', 'withdrawQueuedLiquidity'],
  ...['liquidationRepay', 'liquidationWithdraw'],
];
const VAULT_MOVES = ['deposit', 'buy', 'withdraw', 'sell', 'withdrawAvailable', 'invest'];

type Json = Readonly<Record<string, unknown>>;
type Page = { readonly result: readonly Json[]; readonly paginationToken?: string };

/** All transactions with the instruction, newest first. */
async function listTransactions(api: RunningApi, path: string, instruction: string) {
  const rows: Json[] = [];
  let page: Page | undefined;
  do {
    const next = page && { paginationToken: page.paginationToken };
    const response = await fetch(`${api.url}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ instruction, ...next }),
    });
    expect(response.headers.get('x-gaps')).toBeNull();
    page = (await readJson(response)).body as Page;
    rows.push(...page.result);
  } while (page.paginationToken !== undefined);
  return rows;
}

/** USD by mint that the transactions moved after a time, from the lists of transactions. */
async function countFromLists(api: RunningApi, afterMs: number) {
  const sums = new Map<string, number>();
  const add = (mint: unknown, { tokenAmount, tokenPrice }: Json) => {
    const usd = Number(tokenAmount) * Number(tokenPrice);
    sums.set(String(mint), (sums.get(String(mint)) ?? 0) + usd);
  };
  const isRecent = ({ timestamp }: Json) => Date.parse(String(timestamp)) > afterMs;
  const markets = (await api.get('/v2/svc-market')).body as readonly { lendingMarket: string }[];
  for (const { lendingMarket } of markets) {
    for (const instruction of LENDING_MOVES) {
      const path = `/v2/svc-market/${lendingMarket}/transactions`;
      for (const row of (await listTransactions(api, path, instruction)).filter(isRecent)) {
        for (const ix of row['ixs'] as readonly Json[]) add(ix['tokenMint'], ix);
      }
    }
  }
  const vaults = (await api.get('/kvaults/vaults')).body as readonly {
    readonly address: string;
    readonly state: { readonly tokenMint: string };
  }[];
  const mintOf = new Map(vaults.map(({ address, state }) => [address, state.tokenMint]));
  for (const instruction of VAULT_MOVES) {
    const rows = await listTransactions(api, '/kvaults/transactions', instruction);
    for (const row of rows.filter(isRecent)) {
      add(mintOf.get(String(row['kvault'])), row['ix'] as Json);
    }
  }
  return sums;
}

/** Steps do not tell an account's lamports, and no figure needs them. */
const LAMPORTS = 1_461_600n;

/** The newest accounts of the simulated cluster. */
class SimulatedAccounts {
  readonly #accounts = new Map<Address, ClusterAccount | undefined>();

  observe({ slots }: ClusterStep): void {
    for (const { address, account } of slots.flatMap(({ accounts }) => accounts)) {
      this.#accounts.set(address, account && { ...account, lamports: LAMPORTS });
    }
  }

  account(address: Address): ClusterAccount | undefined {
    return this.#accounts.get(address);
  }

  readAt =
    (slot: Slot): Cluster['readAccounts'] =>
    async (addresses) => ({
      slot,
      accounts: new Map(addresses.map((each) => [each, this.account(each)])),
    });
}

onPglite('tokens of a simulated cluster', ({ fresh }) => {
  test('have the volume of the listed transactions, and supply times price', async () => {
    const history = await (await fresh()).open();
    const simulated = new SimulatedAccounts();
    const plan = { seed: 'tidegate', days: 3, onStep: simulated.observe.bind(simulated) };
    const recorded = await recordSimulation(plan, history);
    const readAccounts = simulated.readAt(recorded.state.at().slot);
    const cluster = { ...(await clusterOfSimulation(recorded)), readAccounts };
    const api = await startTokenFiguresApi(cluster);
    const before = await api.list();
    expect(before.every((token) => token.tradingVolume24H === null)).toBe(true);
    await api.refresh();
    const tokens = await api.list();
    const volumes = new Map(tokens.map(({ mint, tradingVolume24H }) => [mint, tradingVolume24H]));

    const endMs = Number(recorded.state.at().unix) * 1000;
    const expected = await countFromLists(api, endMs - DAY_MS);
    expect(expected.size).toBeGreaterThan(3);
    const all = await countFromLists(api, 0);
    for (const [mint, usd] of expected) {
      expect(volumes.get(mint), mint).toBeCloseTo(usd, 4);
      expect(all.get(mint), mint).toBeGreaterThanOrEqual(usd);
    }
    expect([...expected].some(([mint, usd]) => (all.get(mint) ?? 0) > usd + 1)).toBe(true);
    const moved = tokens.filter(({ tradingVolume24H }) => (tradingVolume24H ?? 0) > 0);
    expect(moved.map(({ mint }) => mint).toSorted()).toEqual([...expected.keys()].toSorted());

    // the largest volume first, and unknown ones last
    const order = tokens.map(({ tradingVolume24H }) => tradingVolume24H ?? -1);
    expect(order).toEqual(order.toSorted((a, b) => b - a));
    expect(await api.list('')).toEqual(tokens.slice(0, 20));

    const prices = (await api.get('/oracles/prices?markets=all')).body as readonly {
      readonly prices: readonly { readonly mint: string; readonly price: string }[];
    }[];
    const priceOf = new Map(prices.flatMap((each) => each.prices).map((each) => [each.mint, each]));
    const priced = tokens.filter(({ marketCapUsd }) => marketCapUsd !== null);
    expect(priced.length).toBeGreaterThan(5);
    for (const { mint, marketCapUsd } of priced) {
      const data = Buffer.from(simulated.account(mint as Address)?.data ?? []);
      const supply = Number(data.readBigUInt64LE(36)) / 10 ** data.readUInt8(44);
      const usd = supply * Number(priceOf.get(mint)?.price);
      expect(usd).toBeGreaterThan(0);
      expect((marketCapUsd ?? 0) / usd, mint).toBeCloseTo(1, 9);
    }
    expect(priceOf.has(WRAPPED_SOL)).toBe(true);
    expect(await api.find(WRAPPED_SOL)).toMatchObject({ marketCapUsd: null });
  });
});
