import {
  type Address,
  type ClusterAccount,
  type KeyedAccount,
  type Slot,
  toSlot,
} from '@tidegate/core/base';
import { CodedError } from '../../errors.ts';
import type {
  DataSlice,
  ProgramRead,
  ProgramReadResult,
  ProgramReadSink,
} from '../source/chain-source.ts';
import { type AccountOrigin, parseAccountOf } from '../source/malformed-accounts.ts';
import { matchesScan } from '../source/matches-scan.ts';
import type { AccountsResult } from './account-batches.ts';
import type { ContextRequests } from './context-requests.ts';
import { parseNamedAccountJson, type RpcAccountEncoding } from './parse-account.ts';
import {
  isResponseObject,
  malformedData,
  requireAccountList,
  requireString,
} from './response-values.ts';
import { isTooLarge, lacksMethod } from './rpc-errors.ts';
import { toRpcFilter } from './rpc-filter.ts';

type ProgramReadsOptions = {
  readonly origin: AccountOrigin;
  readonly context: ContextRequests;
  readonly getAccounts: (addresses: readonly Address[], minSlot: Slot) => Promise<AccountsResult>;
  readonly withBestEncoding: <Result>(
    read: (encoding: RpcAccountEncoding) => Promise<Result>,
  ) => Promise<Result>;
};

type Page = { readonly slot: Slot; readonly accounts: readonly KeyedAccount[] };
type DataConfig = {
  readonly encoding: RpcAccountEncoding;
  readonly dataSlice?: DataSlice;
};

const SCAN = 'getProgramAccounts';
/** An extension of some providers. */
const PAGED_SCAN = 'getProgramAccountsV2';
/** At most 10,000. A page is in memory until its slot is verified. */
const PAGE_ACCOUNTS = 5_000;
/** Accounts that are read by address at a time. */
const PART_ACCOUNTS = 1_000;
const ADDRESS_ONLY: DataConfig = { encoding: 'base64', dataSlice: { offset: 0, length: 0 } };

/** Whether the node may have to read a whole program before it sends the first byte. */
export const isProgramRead = (method: string): boolean => method === SCAN || method === PAGED_SCAN;

/** Reads the accounts of a program in the way that the endpoint supports, and passes them on while they arrive. */
export class ProgramReads {
  readonly #options: ProgramReadsOptions;
  #knowsPages = true;

  constructor(options: ProgramReadsOptions) {
    this.#options = options;
  }

  async read(read: ProgramRead, sink: ProgramReadSink): Promise<ProgramReadResult> {
    if (read.changedSince !== undefined) return this.#readPages(read, sink);
    try {
      return await this.#withConfig(read, (config) => this.#scan(read, config, sink));
    } catch (error) {
      if (!isTooLarge(error)) throw error;
      return await this.#readInParts(read, sink, error);
    }
  }

  #withConfig<Result>(
    { content }: ProgramRead,
    send: (config: DataConfig) => Promise<Result>,
  ): Promise<Result> {
    if (content === 'addresses') return send(ADDRESS_ONLY);
    // nodes report the size of the whole account, so a compressed slice would fail the size check
    if (content !== 'accounts') return send({ encoding: 'base64', dataSlice: content });
    return this.#options.withBestEncoding((encoding) => send({ encoding }));
  }

  /** The slot is verified after the last account, so accounts are passed on with the slot that the caller requires. */
  async #scan(
    read: ProgramRead,
    config: DataConfig,
    sink: ProgramReadSink,
  ): Promise<ProgramReadResult> {
    const { scan, minSlot } = read;
    const { program, filters } = scan;
    sink.onStart();
    const { slot } = await this.#options.context.send({
      method: SCAN,
      subject: program,
      config: { ...config, filters: filters.map(toRpcFilter), withContext: true },
      minSlot,
      parse: requireAccountList,
      onElement: (text) =>
        sink.onAccount({ ...this.#parse(text, read), slot: minSlot ?? toSlot(0n) }),
    });
    return { slot, completeAt: slot };
  }

  /** For a node that finds the response too large. */
  async #readInParts(
    read: ProgramRead,
    sink: ProgramReadSink,
    tooLarge: unknown,
  ): Promise<ProgramReadResult> {
    try {
      return await this.#readPages(read, sink);
    } catch (error) {
      if (!lacksMethod(error)) throw error;
      if (read.content === 'addresses') throw tooLarge;
      return await this.#readByAddress(read, sink);
    }
  }

  /** Lists the addresses first, then reads the accounts. They may be newer than the slot, never older. */
  async #readByAddress(read: ProgramRead, sink: ProgramReadSink): Promise<ProgramReadResult> {
    const { scan } = read;
    let addresses: Address[] = [];
    const listing = {
      onStart: () => {
        addresses = [];
      },
      onAccount: ({ address }: KeyedAccount) => addresses.push(address),
    };
    const { slot } = await this.#scan(read, ADDRESS_ONLY, listing);
    sink.onStart();
    for (let start = 0; start < addresses.length; start += PART_ACCOUNTS) {
      const part = addresses.slice(start, start + PART_ACCOUNTS);
      const { accounts } = await this.#options.getAccounts(part, slot);
      part.forEach((address, i) => {
        const account = accounts[i];
        if (account?.owner !== scan.program) return;
        sink.onAccount({ address, account: sliced(account, read), slot });
      });
    }
    return { slot, completeAt: slot };
  }

  /** Each page has its own slot. Accounts of a page are passed on when its slot is verified. */
  async #readPages(read: ProgramRead, sink: ProgramReadSink): Promise<ProgramReadResult> {
    if (!this.#knowsPages) throw this.#unknownMethod();
    sink.onStart();
    let result: ProgramReadResult | undefined;
    let key: string | undefined;
    do {
      const page: Page & { readonly next: string | undefined } = await this.#readPage(read, key);
      const { slot, accounts, next } = page;
      for (const { address, account } of accounts) sink.onAccount({ address, account, slot });
      const newest = result === undefined || slot > result.slot ? slot : result.slot;
      const oldest = result === undefined || slot < result.completeAt ? slot : result.completeAt;
      result = { slot: newest, completeAt: oldest };
      if (next !== undefined && next === key) throw this.#repeatedPage();
      key = next;
    } while (key !== undefined);
    return result;
  }

  async #readPage(read: ProgramRead, key: string | undefined) {
    const { scan, minSlot, changedSince } = read;
    const { program, filters } = scan;
    const paging = {
      limit: PAGE_ACCOUNTS,
      withContext: true,
      filters: filters.map(toRpcFilter),
      ...(changedSince !== undefined && { changedSinceSlot: Number(changedSince) }),
      ...(key !== undefined && { paginationKey: key }),
    };
    try {
      return await this.#withConfig(read, async (config) => {
        const accounts: KeyedAccount[] = [];
        const { slot, value } = await this.#options.context.send({
          method: PAGED_SCAN,
          subject: program,
          config: { ...config, ...paging },
          minSlot,
          parse: (page) => this.#parseNextKey(page),
          onElement: (text) => accounts.push(this.#parse(text, read)),
        });
        return { slot, accounts, next: value };
      });
    } catch (error) {
      if (lacksMethod(error)) this.#knowsPages = false;
      throw error;
    }
  }

  #parse(text: string, read: ProgramRead): KeyedAccount {
    return parseAccountOf(this.#options.origin, () => parseScanned(text, read));
  }

  /** A page without a context has no slot, so it cannot be used. */
  #parseNextKey(page: unknown): string | undefined {
    if (!isResponseObject(page)) throw this.#unknownMethod();
    const { accounts, paginationKey } = page;
    requireAccountList(accounts);
    if (paginationKey === null || paginationKey === undefined) return undefined;
    return requireString(paginationKey, 'key of the next page');
  }

  #repeatedPage(): CodedError {
    const reason = `its ${PAGED_SCAN} repeats a page`;
    return new CodedError('SOURCE_UNAVAILABLE', { source: this.#options.origin.name, reason });
  }

  #unknownMethod(): CodedError {
    const reason = `it does not support ${PAGED_SCAN}`;
    const rejection = 'unknown-method';
    return new CodedError('SOURCE_REFUSES', {
      source: this.#options.origin.name,
      reason,
      rejection,
    });
  }
}

/** Accounts that are read by address have all of their data. */
function sliced(account: ClusterAccount, { content }: ProgramRead): ClusterAccount {
  if (typeof content === 'string') return account;
  const { offset, length } = content;
  return { ...account, data: account.data.subarray(offset, offset + length) };
}

function parseScanned(text: string, { scan, content }: ProgramRead): KeyedAccount {
  const named = parseNamedAccountJson(text, content === 'accounts' ? 'whole' : 'part');
  if (named.account.owner !== scan.program) {
    throw malformedData('response', 'it contains an account of another program');
  }
  if (content === 'accounts' && !matchesScan(scan, named.account)) {
    throw malformedData('response', 'it contains an account that does not pass its filters');
  }
  return named;
}
