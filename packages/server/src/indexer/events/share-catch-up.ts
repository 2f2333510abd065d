import type { Address, Slot } from '@tidegate/core/base';
import { associatedTokenAddress, TOKEN_PROGRAM } from '@tidegate/core/protocol/spl';
import { shareTradeKinds } from '@tidegate/core/views/transactions';
import { vaultEventKinds } from '../../history/event-kinds.ts';
import { readEventsSince } from '../../history/queries/event-coverage.ts';
import type { HistoryReader } from '../../history/queries/history-reader.ts';
import { readUnexplainedHoldings } from '../../history/queries/unexplained-holdings.ts';

/** The shares of the vaults, in state. */
export type ShareAccounts = {
  /** Share mints by vault. */
  mints(): ReadonlyMap<Address, Address>;
  /** Known token accounts of a wallet. */
  accountsOf(wallet: Address, mint: Address): Iterable<Address>;
};

/**
 * Finds transfers of shares that happened shortly before the last stop, or since. They call none of the programs, so no
 * list of a program has them: only those of the mint and of the token accounts.
 */
export class ShareCatchUp {
  readonly #reader: HistoryReader;
  readonly #shares: ShareAccounts | undefined;
  #isDue = false;
  #isDone: boolean;

  /** Without `shares` nothing is looked for. */
  constructor(reader: HistoryReader, shares: ShareAccounts | undefined) {
    this.#reader = reader;
    this.#shares = shares;
    this.#isDone = shares === undefined;
  }

  /** Until then, a later start has to look for transfers since the same slot. */
  get isDone(): boolean {
    return this.#isDone;
  }

  get isDue(): boolean {
    return this.#isDue;
  }

  /** Call it when the balances of all wallets are stored. */
  request(): void {
    this.#isDue = this.#shares !== undefined;
  }

  /**
   * Mints, and token accounts of the wallets whose balances changed after the slot by something else than their events.
   * Call it when the lists of the programs are recorded.
   */
  async findAddresses(after: Slot): Promise<readonly Address[]> {
    const shares = this.#shares;
    if (shares === undefined) return [];
    const since = await readEventsSince(this.#reader);
    const beginsEmpty = since?.slot === 0n;
    const holdings = await readUnexplainedHoldings(this.#reader, {
      ...tradeKinds,
      after,
      beginsEmpty,
    });
    const mints = shares.mints();
    const accounts = holdings.flatMap(({ wallet, vault }) => {
      const mint = mints.get(vault);
      if (mint === undefined) return [];
      const associated = associatedTokenAddress(wallet, mint, TOKEN_PROGRAM);
      return [associated, ...shares.accountsOf(wallet, mint)];
    });
    return [...new Set([...mints.values(), ...accounts])];
  }

  /** Call it when the transactions of these addresses are recorded. */
  finish(): void {
    this.#isDone = true;
    this.#isDue = false;
  }
}

const numbersOf = (trade: 'buy' | 'sell'): readonly number[] =>
  vaultEventKinds.flatMap((kind, number) => (shareTradeKinds[kind] === trade ? [number] : []));

const tradeKinds = { buys: numbersOf('buy'), sells: numbersOf('sell') };
