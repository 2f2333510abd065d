import { formatUnits, isNear, multiply, sumUnits, toUnits, type Units } from './exact-decimal.ts';
import { readAtOneSlot } from './same-slot.ts';

type Json = Readonly<Record<string, unknown>>;

/** Wallets with their loans and vaults. */
export type CrossCheckSubjects = {
  readonly markets: readonly string[];
  readonly vaults: readonly string[];
  readonly wallets: readonly string[];
};

export type CrossCheckReport = {
  /** Compared figures by identity. */
  readonly compared: ReadonlyMap<string, number>;
  /** Figures that differ. */
  readonly exceptions: readonly string[];
};

/** Checks identities between operations of a running server: sums, last points and current reads. */
export async function crossCheck(
  url: string,
  { markets, vaults, wallets }: CrossCheckSubjects,
): Promise<CrossCheckReport> {
  const check = new CrossCheck(url);
  for (const market of markets) await check.market(market);
  for (const vault of vaults) await check.vault(vault);
  for (const wallet of wallets) {
    for (const market of markets) await check.loans(market, wallet);
    await check.earnings(wallet);
  }
  return check;
}

/** An identity, and whose figures are compared. */
type Comparison = { readonly identity: string; readonly what: string };

class CrossCheck implements CrossCheckReport {
  readonly compared = new Map<string, number>();
  readonly exceptions: string[] = [];
  readonly #url: string;

  constructor(url: string) {
    this.#url = url;
  }

  /** A market is the sum of its reserves; its last points are the current state; prices are those of the oracle. */
  async market(market: string): Promise<void> {
    const [rows, points, priced] = await this.#read(
      `/svc-market/${market}/reserves/metrics`,
      `/svc-market/${market}/metrics/history`,
      `/oracles/prices?markets=all`,
    );
    const reserves = list(rows);
    const prices = list(priced).find((each) => each['lendingMarket'] === market)?.['prices'];
    const { metrics } = (list(points).at(-1) ?? {}) as { metrics?: Json };
    const sumOf = (name: string) => sumUnits(reserves.map((row) => toUnits(row[name])));
    this.#equal(
      { identity: 'market = sum of reserves', what: market },
      metrics?.['depositTVL'],
      sumOf('totalSupplyUsd'),
    );
    this.#equal(
      { identity: 'market = sum of reserves', what: market },
      metrics?.['borrowTVL'],
      sumOf('totalBorrowUsd'),
    );
    for (const row of reserves) {
      const mint = row['liquidityTokenMint'];
      const price = list(prices).find((each) => each['mint'] === mint)?.['price'];
      if (price === undefined) continue;
      const value = multiply(toUnits(row['totalSupply']), toUnits(price));
      this.#equal(
        { identity: 'prices agree', what: `${market} ${String(mint)}` },
        row['totalSupplyUsd'],
        value,
      );
    }
    for (const row of reserves) await this.#reserve(market, row['reserve'] as string);
  }

  async #reserve(market: string, reserve: string): Promise<void> {
    const [rows, history] = await this.#read(
      `/svc-market/${market}/reserves/metrics`,
      `/svc-market/${market}/reserves/${reserve}/metrics/history?frequency=day`,
    );
    const row = list(rows).find((each) => each['reserve'] === reserve) ?? {};
    const { metrics = {} } = (list((history as Json)['history']).at(-1) ?? {}) as {
      metrics?: Json;
    };
    const what = `${market} ${reserve}`;
    this.#equal(
      { identity: 'last point = current read', what },
      metrics['totalSupply'],
      toUnits(row['totalSupply']),
    );
    this.#equal(
      { identity: 'last point = current read', what },
      metrics['totalBorrows'],
      toUnits(row['totalBorrow']),
    );
    this.#equal(
      { identity: 'last point = current read', what },
      metrics['depositTvl'],
      toUnits(row['totalSupplyUsd']),
    );
  }

  async vault(vault: string): Promise<void> {
    const [now, history] = await this.#read(
      `/kvaults/vaults/${vault}/metrics`,
      `/kvaults/vaults/${vault}/metrics/history`,
    );
    const metrics = now as Json;
    const last = list(history).at(-1) ?? {};
    for (const name of ['sharePrice', 'apy', 'apyActual', 'apyFarmRewards', 'apyIncentives']) {
      this.#equal(
        { identity: 'last point = current read', what: `${vault} ${name}` },
        last[name],
        toUnits(metrics[name]),
      );
    }
    const value = multiply(toUnits(metrics['tokensPerShare']), toUnits(metrics['tokenPrice']));
    this.#equal(
      { identity: 'share price = tokens × price', what: vault },
      metrics['sharePrice'],
      value,
    );
    const parts = sumUnits(list(last['reserves']).map((each) => toUnits(each['allocationRatio'])));
    if (parts > toUnits('1.000000000001'))
      this.#report({ identity: 'allocation ratios ≤ 1', what: vault }, parts, toUnits(1));
    this.#count('allocation ratios ≤ 1');
  }

  /** A loan is the sum of its sides; its last point is current; profit is value minus invested. */
  async loans(market: string, wallet: string): Promise<void> {
    const [found] = await this.#read(`/svc-market/${market}/users/${wallet}/obligations`);
    for (const { obligationAddress } of list(found)) {
      const loan = `/v2/svc-market/${market}/obligations/${String(obligationAddress)}`;
      const [pnl, history, obligations] = await this.#read(
        `${loan}/pnl`,
        `${loan}/metrics/history`,
        `/svc-market/${market}/users/${wallet}/obligations`,
      );
      const last = list((history as Json)['history']).at(-1);
      if (last === undefined) continue;
      const what = String(obligationAddress);
      this.#loanSides(what, last);
      const stats = last['refreshedStats'] as Json;
      const { usd, invested } = pnl as { usd: string; invested: Json };
      const value = toUnits(usd) + toUnits(invested['usd']);
      this.#equal({ identity: 'profit = value − invested', what }, stats['netAccountValue'], value);
      const current = list(obligations).find(
        (each) => each['obligationAddress'] === obligationAddress,
      );
      const now = current?.['refreshedStats'] as Json | undefined;
      for (const name of [
        'netAccountValue',
        'userTotalDeposit',
        'userTotalBorrow',
        'loanToValue',
      ]) {
        this.#equal(
          { identity: 'last point = current read', what: `${what} ${name}` },
          stats[name],
          toUnits(now?.[name]),
        );
      }
    }
  }

  #loanSides(what: string, point: Json): void {
    const stats = point['refreshedStats'] as Json;
    const sumOf = (side: string) =>
      sumUnits(list(point[side]).map((each) => toUnits(each['marketValueRefreshed'])));
    const [deposits, borrows] = [sumOf('deposits'), sumOf('borrows')];
    this.#equal({ identity: 'loan = sum of sides', what }, stats['userTotalDeposit'], deposits);
    this.#equal({ identity: 'loan = sum of sides', what }, stats['userTotalBorrow'], borrows);
    this.#equal(
      { identity: 'loan = sum of sides', what },
      stats['netAccountValue'],
      deposits - borrows,
    );
  }

  /** A wallet is the sum of its vaults; its transactions are its shares. */
  async earnings(wallet: string): Promise<void> {
    const [found] = await this.#read(`/kvaults/users/${wallet}/positions`);
    const vaults = list(found).map(({ vaultAddress }) => String(vaultAddress));
    const [totals, positions, transactions, ...histories] = await this.#read(
      `/kvaults/users/${wallet}/metrics/history`,
      `/kvaults/users/${wallet}/positions`,
      `/kvaults/users/${wallet}/transactions`,
      ...vaults.map((vault) => `/kvaults/users/${wallet}/vaults/${vault}/metrics/history`),
    );
    const lasts = histories.map((history) => list(history).at(-1) ?? {});
    const sumOf = (name: string) => sumUnits(lasts.map((last) => toUnits(last[name])));
    for (const name of vaults.length === 0 ? [] : ['usdAmount', 'cumulativeInterestEarnedUsd']) {
      this.#equal(
        { identity: 'user = sum of vaults', what: wallet },
        list(totals).at(-1)?.[name],
        sumOf(name),
      );
    }
    for (const vault of vaults) {
      const position = list(positions).find((each) => each['vaultAddress'] === vault);
      const shares = sharesOf(list(transactions).filter((each) => each['kvault'] === vault));
      const what = `${wallet} ${vault}`;
      this.#equal(
        { identity: 'transactions = positions', what },
        position?.['totalShares'],
        shares,
      );
    }
  }

  async #read(...paths: readonly string[]): Promise<unknown[]> {
    return await readAtOneSlot(this.#url, paths);
  }

  #equal(comparison: Comparison, actual: unknown, expected: Units): void {
    this.#count(comparison.identity);
    const found = actual === undefined ? undefined : toUnits(actual);
    if (found === undefined || !isNear(found, expected)) this.#report(comparison, found, expected);
  }

  #count(identity: string): void {
    this.compared.set(identity, (this.compared.get(identity) ?? 0) + 1);
  }

  #report({ identity, what }: Comparison, actual: Units | undefined, expected: Units): void {
    const text = actual === undefined ? 'missing' : formatUnits(actual);
    this.exceptions.push(`${identity}: ${what}: ${text}, not ${formatUnits(expected)}`);
  }
}

const list = (value: unknown): readonly Json[] => (Array.isArray(value) ? (value as Json[]) : []);

const OUTGOING = ['withdraw', 'sell', 'withdrawAvailable', 'redeemInKind', 'transferOut', 'burn'];

const sharesOf = (transactions: readonly Json[]): Units =>
  sumUnits(
    transactions.map(({ instruction, numberOfShares }) => {
      const shares = toUnits(numberOfShares);
      return OUTGOING.includes(String(instruction)) ? -shares : shares;
    }),
  );
