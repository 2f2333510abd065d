import { type Address, type ClusterAccount, parseDecimal } from '@tidegate/core/base';
import { associatedTokenAddress } from '@tidegate/core/protocol/spl';
import { tokenAccount } from '@tidegate/core/protocol/spl/layout';
import type { Localnet } from '../cluster/localnet.ts';
import { CodedError } from '../errors/index.ts';
import type { ForkedAccount } from '../fork/forked-accounts.ts';
import type { ClusterMetadata } from '../genesis/cluster-metadata.ts';
import { findProgramName } from '../programs/program-accounts.ts';
import type { RpcUrls } from '../rpc/server/rpc-server.ts';
import { readBaseUnits, requireAddress, requireMint, slotCount } from './sandbox-values.ts';
import { type SentTransaction, sendAndLand } from './send-transaction.ts';
import { createWallet, type SandboxWallet } from './wallet.ts';

export type SandboxParts = RpcUrls & {
  readonly localnet: Localnet;
  readonly seed: string;
  /** Undefined for a fork. */
  readonly metadata: ClusterMetadata | undefined;
  readonly stop: () => Promise<void>;
};

/** A point in time of the chain. */
export type SandboxTime = { readonly slot: bigint; readonly unixTimestamp: bigint };

/**
 * A Solana cluster in this process that a test controls. Any client can use `rpcUrl` and `wsUrl`; the methods change what
 * no client can. A change has landed in a slot when its promise resolves.
 *
 * Tokens are given by symbol (`USDC`), mint or, for prices, reserve. Addresses are strings in base58.
 */
export class Sandbox {
  /** JSON-RPC over HTTP. */
  readonly rpcUrl: string;
  /** JSON-RPC subscriptions over WebSocket. */
  readonly wsUrl: string;
  readonly #parts: SandboxParts;
  readonly #localnet: Localnet;
  #stopped: Promise<void> | undefined;

  constructor(parts: SandboxParts) {
    this.rpcUrl = parts.rpcUrl;
    this.wsUrl = parts.wsUrl;
    this.#parts = parts;
    this.#localnet = parts.localnet;
  }

  /** The newest slot and its time. */
  get now(): SandboxTime {
    const { slot, unix } = this.#localnet.timeOf(this.#localnet.bank.slot);
    return { slot, unixTimestamp: unix };
  }

  /** Markets, vaults, wallets and tokens of the generated cluster. Throws for a fork, which has none. */
  get metadata(): ClusterMetadata {
    const { metadata } = this.#parts;
    if (metadata !== undefined) return metadata;
    throw new CodedError('INVALID_USAGE', {
      reason: 'A fork has no metadata: its accounts are those of the origin.',
    });
  }

  /** One of the 100 wallets of the generated cluster, 0 to 99, with its key. For test funds only. */
  wallet(index: number): SandboxWallet {
    return createWallet(this.#parts.seed, index);
  }

  /** The account as it is now; undefined if it does not exist. */
  async account(address: string): Promise<ClusterAccount | undefined> {
    const key = requireAddress(address);
    await this.#localnet.fork?.load([key]);
    return this.#localnet.bank.account(key);
  }

  /** What a wallet holds of a token in its associated account, in base units; 0 without one. */
  async tokenBalance(wallet: string, token: string): Promise<bigint> {
    const mint = requireMint(token);
    const tokenProgram = (await this.account(mint))?.owner;
    if (tokenProgram === undefined) {
      throw new CodedError('NOT_FOUND', { what: 'mint', address: mint });
    }
    const address = associatedTokenAddress(requireAddress(wallet), mint, tokenProgram);
    const account = await this.account(address);
    return account === undefined ? 0n : tokenAccount.decode(account).amount;
  }

  /**
   * Sends a transaction, as bytes or base64, and waits until it has landed. Throws TRANSACTION_REJECTED if the cluster
   * does not execute it; a transaction that the program rejects has landed, and has an `error`.
   */
  send(transaction: Uint8Array | string): Promise<SentTransaction> {
    return sendAndLand(this.#localnet, transaction);
  }

  /** Writes an account as it is given; undefined deletes it. */
  async setAccount(address: string, account: ClusterAccount | undefined): Promise<SandboxTime> {
    await this.#localnet.setAccount(requireAddress(address), account);
    return this.now;
  }

  /** Transfers lamports from the faucet, which never runs out. */
  async airdrop(address: string, lamports: bigint): Promise<SandboxTime> {
    await this.#localnet.airdrop(requireAddress(address), lamports);
    return this.now;
  }

  /**
   * Mints tokens into the wallet's associated account, which is created if needed. `amount`: base units as bigint, or
   * whole tokens as decimal string (`'12.5'`).
   */
  async fund(wallet: string, token: string, amount: bigint | string): Promise<SandboxTime> {
    const mint = requireMint(token);
    const units = readBaseUnits(amount, await this.account(mint), mint);
    await this.#localnet.airdropToken({ wallet: requireAddress(wallet), mint, amount: units });
    return this.now;
  }

  /** Fixes the price of a token in USD, as decimal string; null lets it move again. */
  async setPrice(token: string, price: string | null): Promise<SandboxTime> {
    const ratio = price === null ? undefined : parseDecimal(price);
    await this.#localnet.setPrice(requireMint(token), ratio);
    return this.now;
  }

  /**
   * Upgrades a program (`klend`, `kvault`, `farms`, `scope`, or its address) to a release of the built-in model, such as
   * `1.24`, which executes from the next slot on, or to other bytes, with which the model executes as before.
   */
  async upgradeProgram(program: string, to: string | Uint8Array): Promise<SandboxTime> {
    const name = findProgramName(program);
    if (name === undefined) {
      throw new CodedError('NOT_FOUND', { what: 'program', address: program });
    }
    await this.#localnet.upgradeProgram(name, to);
    return this.now;
  }

  /** Advances the clock in one step. Prices and stake pools follow; nothing else happens meanwhile. */
  async warp(by: { readonly slots: bigint } | { readonly seconds: bigint }): Promise<SandboxTime> {
    const { bank } = this.#localnet;
    await this.#localnet.warp(slotCount(by, bank.timeOf(bank.slot)));
    return this.now;
  }

  /** Stops the clock: slots close only by methods that change something, and transactions wait for them. */
  freeze(): void {
    this.#localnet.freeze();
  }

  /** Lets the clock run on from where it stopped. */
  resume(): void {
    this.#localnet.resume();
  }

  /** Saves accounts, transactions, time, prices and switches, and returns an id for `revert`. */
  snapshot(): string {
    return this.#localnet.snapshot();
  }

  /** Returns to a snapshot, as often as needed. Snapshots that were taken after it are dropped. */
  revert(id: string): SandboxTime {
    this.#localnet.revert(id);
    return this.now;
  }

  /** Frees the memory of a snapshot that is no longer needed. */
  dropSnapshot(id: string): void {
    this.#localnet.dropSnapshot(id);
  }

  /** Runs `work` and undoes what it changed, also if it fails. */
  async isolate<Result>(work: () => Promise<Result>): Promise<Result> {
    const id = this.snapshot();
    try {
      return await work();
    } finally {
      // work that returned to an earlier state has dropped the snapshot
      if (this.#localnet.hasSnapshot(id)) this.revert(id);
      else this.reset();
      this.dropSnapshot(id);
    }
  }

  /** Returns to the state right after the start, and drops all snapshots. */
  reset(): SandboxTime {
    this.#localnet.reset();
    return this.now;
  }

  /** From now on, transactions with this signer are accepted without its signature, until `stopImpersonating`. */
  impersonate(address: string): void {
    this.#localnet.impersonate(requireAddress(address), true);
  }

  stopImpersonating(address: string): void {
    this.#localnet.impersonate(requireAddress(address), false);
  }

  /** Switches the bot on or off that liquidates unhealthy loans. */
  setLiquidationBot(isOn: boolean): void {
    this.#localnet.setLiquidationBot(isOn);
  }

  /** In a fork, reads accounts now that are not known yet: up to 100 of them are of one slot. */
  async load(addresses: readonly string[]): Promise<void> {
    const keys: Address[] = addresses.map(requireAddress);
    await this.#localnet.fork?.load(keys);
  }

  /** The accounts that were read from the origin so far, with the slot of each; empty unless this is a fork. */
  forkedAccounts(): readonly ForkedAccount[] {
    return this.#localnet.fork?.reads() ?? [];
  }

  /** Stops the cluster and closes its ports. */
  stop(): Promise<void> {
    this.#stopped ??= this.#parts.stop();
    return this.#stopped;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.stop();
  }
}
