import { expect, test } from 'vitest';
import { obligationAddress } from '#core/protocol/klend/pda.ts';
import { onPglite } from '../support/history/history-engines.ts';
import {
  type RecordedSimulation,
  recordFirstDays,
  recordSimulation,
  startSimulationApi,
} from '../support/history/recorded-simulation.ts';
import { SIMULATION_END } from '../support/localnet/simulated-genesis.ts';

const DAYS = 2;
const END = Number(SIMULATION_END.unix);
const iso = (unix: number): string => new Date(unix * 1000).toISOString();
/** The shortest history in which bSOL loses its peg, from 9 to 2 days before the end. */
const PEG_DAYS = 28;

/** Wallets with large deposits. */
const LENDERS = Array.from({ length: 16 }, (_, i) => 9 + i);

/** Shared by all tests of the file. */
let recording: Promise<RecordedSimulation> | undefined;

type Named = { readonly name: string; readonly address: string };

onPglite('cases of the demo', (engine) => {
  const start = async () => {
    recording ??= engine
      .shared()
      .then((history) => recordSimulation({ seed: 'tidegate', days: DAYS }, history));
    const recorded = await recording;
    const { metadata } = recorded;
    const { get } = await startSimulationApi(recorded);
    const named = (list: readonly Named[], name: string): string => {
      const found = list.find((each) => each.name === name);
      if (found === undefined) throw new Error(`no ${name}`);
      return found.address;
    };
    const market = (name: string) => named(metadata.markets, name);
    return {
      metadata,
      state: recorded.state,
      read: async <Body>(path: string) => (await get(path)).body as Body,
      wallet: (index: number) => metadata.wallets[index] ?? '',
      vault: (name: string) => named(metadata.vaults, name),
      market,
      reserve: (marketName: string, symbol: string) => {
        const address = metadata.markets.find(({ name }) => name === marketName)?.address;
        const found = [...(address === undefined ? [] : recorded.state.reservesOf(address))].find(
          ({ fields }) => metadata.tokens.get(fields.liquidity.mintPubkey) === symbol,
        );
        if (found === undefined) throw new Error(`no ${symbol} in ${marketName}`);
        return found;
      },
    };
  };

  test('a wallet leaves a vault completely and comes back', async () => {
    const { read, wallet, vault } = await start();
    const path = `/kvaults/users/${wallet(6)}/vaults/${vault('Harbor USDC Prime')}`;
    type Event = { type: string; position: string; realizedPnl: { usd: string } };
    const { history } = await read<{ history: Event[] }>(`${path}/pnl/history`);
    const trades = history.filter(({ type }) => type === 'buy' || type === 'sell');
    expect(trades.map(({ type }) => type)).toEqual(['buy', 'sell', 'buy']);
    expect(trades.map(({ position }) => position === '0')).toEqual([false, true, false]);
  });

  test('a reserve has reached its limits, and one uses most of its withdrawal cap', async () => {
    const { read, market, reserve } = await start();
    const main = market('Main Market');
    type Metrics = Record<string, string | number>;
    const path = `/svc-market/${main}/reserves/${reserve('Main Market', 'wETH').address}/metrics/history`;
    const { history } = await read<{ history: { metrics: Metrics }[] }>(path);
    const { metrics = {} } = history.at(-1) ?? {};
    expect(metrics['depositLimitCrossedTimestamp']).toBeGreaterThan(END - 3 * 3_600);
    expect(metrics['borrowLimitCrossedTimestamp']).toBeGreaterThan(END - 3 * 3_600);
    const tokens = (name: string) => Number(metrics[name]) / 1e8;
    expect(Number(metrics['totalSupply'])).toBeGreaterThan(tokens('reserveDepositLimit'));
    expect(Number(metrics['totalBorrows'])).toBeGreaterThan(tokens('reserveBorrowLimit'));
    const { depositWithdrawalCap } = reserve('Main Market', 'bSOL').fields.config;
    const { configCapacity, currentTotal } = depositWithdrawalCap;
    expect(Number(currentTotal) / Number(configCapacity)).toBeGreaterThan(0.7);
    expect(currentTotal).toBeLessThanOrEqual(configCapacity);
  });

  test('a season is over, and wallets have rewards from both', async () => {
    const { read, wallet, metadata } = await start();
    const [finished, current] = metadata.seasons;
    expect(finished?.end).toBeLessThan(SIMULATION_END.unix);
    expect(current?.end).toBeGreaterThan(SIMULATION_END.unix);
    type Rewards = { rewards: { tokensEarned: string; lastCalculated: string }[] };
    for (const source of ['Season1', 'Season2']) {
      const bodies = await Promise.all(
        LENDERS.map((index) =>
          read<Rewards>(`/klend/users/${wallet(index)}/rewards?source=${source}`),
        ),
      );
      const earned = bodies.filter(({ rewards }) => rewards.some((each) => +each.tokensEarned > 0));
      expect(earned.length, source).toBeGreaterThan(2);
    }
    type Rate = { apy: string; tokensPerSecond: string };
    for (const kind of ['klend', 'kvaults']) {
      const [over] = await read<Rate[]>(`/${kind}/rewards?source=Season1`);
      expect(over, kind).toMatchObject({ tokensPerSecond: '0', apy: '0' });
      const [paid] = await read<Rate[]>(`/${kind}/rewards`);
      expect(Number(paid?.tokensPerSecond), kind).toBeGreaterThan(0);
    }
  });

  test('a closed loan is gone and has a history', async () => {
    const { read, wallet, market, metadata } = await start();
    const jlp = market('JLP Market');
    const [owner, lendingMarket] = [
      metadata.wallets[5],
      metadata.markets.find(({ name }) => name === 'JLP Market')?.address,
    ];
    if (owner === undefined || lendingMarket === undefined) throw new Error('no owner');
    const loan = obligationAddress({ kind: 'vanilla', owner, lendingMarket });
    expect(await read(`/svc-market/${jlp}/users/${wallet(5)}/obligations`)).toEqual([]);
    const { transactions } = await read<{ transactions: { transactionDisplayName: string }[] }>(
      `/v2/svc-market/${jlp}/obligations/${loan}/transactions`,
    );
    expect(transactions.map((each) => each.transactionDisplayName).toSorted()).toEqual([
      'Borrow',
      'Deposit',
      'Repay',
      'Repay',
      'Withdraw',
    ]);
  });

  test('a debt has a fixed term', async () => {
    const { read, wallet, market, reserve } = await start();
    const { address, fields } = reserve('Bitcoin Credit', 'wETH');
    expect(fields.config.debtTermSeconds).toBe(60n * 86_400n);
    type Borrow = Record<'borrowReserve' | 'lastBorrowedAtTimestamp', string>;
    const loans = await read<{ state: { borrows: Borrow[] } }[]>(
      `/svc-market/${market('Bitcoin Credit')}/users/${wallet(6)}/obligations`,
    );
    const debts = loans.flatMap(({ state }) => state.borrows);
    const debt = debts.find(({ borrowReserve }) => borrowReserve === address);
    expect(Number(debt?.lastBorrowedAtTimestamp)).toBeGreaterThan(END - DAYS * 86_400);
  });

  test('a vault keeps a part of each withdrawal', async () => {
    const { metadata, state } = await start();
    const penalties = metadata.vaults.map(({ name, address }) => [
      name,
      state.vault(address)?.fields.withdrawalPenaltyBps,
    ]);
    expect(penalties.filter(([, bps]) => bps !== 0n)).toEqual([['Keel cbBTC', 10n]]);
  });

  test('of two queued withdrawals, one is paid and one waits for the rest', async () => {
    const { read, wallet, market, reserve, vault } = await start();
    type Queued = { transactionName: string; withdrawTicket: string; liquidityTokenAmount: string };
    const { withdrawQueueTransactions } = await read<{ withdrawQueueTransactions: Queued[] }>(
      `/v3/svc-market/${market('Bitcoin Credit')}/users/${wallet(7)}/transactions`,
    );
    const named = (name: string) =>
      withdrawQueueTransactions.filter(({ transactionName }) => transactionName === name);
    const [queued, paid] = [named('enqueueToWithdraw'), named('withdrawQueuedLiquidity')];
    const tickets = (list: Queued[]) => list.map(({ withdrawTicket }) => withdrawTicket).toSorted();
    expect(queued).toHaveLength(2);
    expect(tickets(paid)).toEqual(tickets(queued));
    const { withdrawQueue } = reserve('Bitcoin Credit', 'USDC').fields;
    expect(withdrawQueue).toMatchObject({
      nextIssuedTicketSequenceNumber: 2n,
      nextWithdrawableTicketSequenceNumber: 1n,
    });
    expect(withdrawQueue.queuedCollateralAmount).toBeGreaterThan(0n);
    // The deployed vault program has no instruction that queues, so that no ticket belongs to a vault.
    const ofVault = `/kvaults/vaults/${vault('Breakwater Bitcoin Credit')}/enqueued-withdraw-transactions`;
    expect(await read(ofVault)).toEqual([]);
  });

  test('bSOL costs less than the rate of its pool for a week, JitoSOL never does', async () => {
    const { open } = await engine.fresh();
    const plan = { seed: 'tidegate', days: PEG_DAYS, recordedDays: PEG_DAYS - 1 };
    const recorded = await recordFirstDays(plan, await open());
    const { get } = await startSimulationApi(recorded);
    const { metadata, state } = recorded;
    const { market } = metadata.demo;
    type Body = { history: { metrics: { assetOraclePriceUSD: number } }[] };
    const priceOf = async (symbol: string, daysBefore: number): Promise<number> => {
      const at = END - daysBefore * 86_400;
      const found = [...state.reservesOf(market)].find(
        ({ fields }) => metadata.tokens.get(fields.liquidity.mintPubkey) === symbol,
      );
      const range = `start=${iso(at - 3_600)}&end=${iso(at)}&frequency=hour`;
      const path = `/svc-market/${market}/reserves/${found?.address}/metrics/history?${range}`;
      const { history: points } = (await get(path)).body as Body;
      return points.at(-1)?.metrics.assetOraclePriceUSD ?? 0;
    };
    const rate = async (symbol: string, day: number) =>
      (await priceOf(symbol, day)) / (await priceOf('SOL', day));
    const pegged = { bSOL: await rate('bSOL', 1.5), JitoSOL: await rate('JitoSOL', 1.5) };
    // pools earn less than 0.2 % in this week
    const bSOL = [await rate('bSOL', 9.5), await rate('bSOL', 8), await rate('bSOL', 6)];
    expect(bSOL.map((value) => Number((value / pegged.bSOL).toFixed(2)))).toEqual([1, 0.95, 0.96]);
    const stable = (await rate('JitoSOL', 8)) / pegged.JitoSOL;
    expect(stable).toBeGreaterThan(0.997);
    expect(stable).toBeLessThanOrEqual(1);
  });
});
