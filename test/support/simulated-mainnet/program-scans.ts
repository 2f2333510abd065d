import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Address } from '#core/base/encoding/address.ts';
import type { KeyedAccount } from '#core/base/solana/cluster-account.ts';
import { type Slot, toSlot } from '#core/base/time.ts';
import { type AccountPredicate, readAccountFilters } from '#localnet/rpc/account-filters.ts';
import {
  type AccountEncodingOptions,
  encodeKeyedAccount,
  readAccountEncoding,
} from '#localnet/rpc/encoding/account-encoding.ts';
import { formatJson, type JsonObject } from '#localnet/rpc/json.ts';
import {
  readAddress,
  readArguments,
  readBoolean,
  readConfigParam,
  readInteger,
  readOptional,
} from '#localnet/rpc/params.ts';
import { API_VERSION, bankViewFor, readSlot } from '#localnet/rpc/request-context.ts';
import { invalidParams } from '#localnet/rpc/rpc-errors.ts';
import type { BankView } from '#localnet/runtime/bank.ts';
import type { GeneratedKind } from './generated-accounts.ts';
import type { MainnetNode } from './mainnet-node.ts';

/** Accounts that are encoded before slots close and other requests are answered. */
const ACCOUNTS_PER_TURN = 100;
const DEFAULT_PAGE_SIZE = 1_000;
const MAX_PAGE_SIZE = 10_000;

/** A response in parts: what comes before the accounts, the accounts, and what comes after them. */
export type ProgramScanText = {
  readonly head: string;
  /** Texts of some accounts each, with commas. */
  readonly accounts: AsyncIterable<string>;
  /** Call it after the accounts were read. */
  tail(): string;
  /** Generated accounts so far. */
  generatedAccounts(): number;
};

type Scan = {
  readonly program: Address;
  readonly accepts: AccountPredicate;
  /** What a quick test of a template shows: no account of the kind can match. */
  mayMatch(kind: GeneratedKind): boolean;
  readonly encoding: AccountEncodingOptions;
  readonly hasContext: boolean;
  readonly view: BankView;
  readonly config: JsonObject;
};

/** `getProgramAccounts` with the generated accounts. Throws if a parameter is wrong. */
export function scanProgram(node: MainnetNode, params: unknown): ProgramScanText {
  const scan = readScan(node, params);
  const text = new AccountTexts(node, scan);
  const context = contextOf(scan);
  return {
    head: scan.hasContext ? `{"context":${context},"value":[` : '[',
    accounts: text.all(),
    tail: () => (scan.hasContext ? ']}' : ']'),
    generatedAccounts: () => text.generated,
  };
}

/** `getProgramAccountsV2`: pages, and what was written since a slot. */
export function scanProgramPage(node: MainnetNode, params: unknown): ProgramScanText {
  const scan = readScan(node, params);
  const text = new AccountTexts(node, scan);
  const page = readPage(scan.config);
  const head = '{"accounts":[';
  return {
    head: scan.hasContext ? `{"context":${contextOf(scan)},"value":${head}` : head,
    accounts: text.page(page),
    tail: () => {
      const key = text.count < page.limit ? null : (text.lastAddress ?? null);
      const end = `],"paginationKey":${JSON.stringify(key)}}`;
      return scan.hasContext ? `${end}}` : end;
    },
    generatedAccounts: () => text.generated,
  };
}

const contextOf = ({ view }: Scan): string =>
  formatJson({ apiVersion: API_VERSION, slot: view.time.slot });

type Page = {
  readonly limit: number;
  readonly after: Address | undefined;
  readonly since: Slot;
};

function readPage(config: JsonObject): Page {
  const limit =
    readOptional(config['limit'], (value) => readInteger(value, 'usize')) ?? DEFAULT_PAGE_SIZE;
  if (limit < 1 || limit > MAX_PAGE_SIZE) {
    throw invalidParams(`limit must be from 1 to ${MAX_PAGE_SIZE}`);
  }
  const after = readOptional(config['paginationKey'], readAddress);
  const since = readOptional(config['changedSinceSlot'], readSlot) ?? toSlot(0n);
  return { limit, after, since };
}

function readScan(node: MainnetNode, params: unknown): Scan {
  const [key, options] = readArguments(params, { min: 1, max: 2 });
  const config = readConfigParam(options, 'RpcProgramAccountsConfig');
  const accepts = readAccountFilters(config);
  return {
    program: readAddress(key),
    accepts,
    mayMatch: createKindCheck(config),
    encoding: readAccountEncoding(config, 'binary'),
    hasContext: readOptional(config['withContext'], readBoolean) ?? false,
    view: bankViewFor(node, config),
    config,
  };
}

/** Size and discriminator are the same for all accounts of a kind. */
function createKindCheck({ filters }: JsonObject): (kind: GeneratedKind) => boolean {
  const all: readonly unknown[] = Array.isArray(filters) ? filters : [];
  const ofKind = all.filter((filter) => {
    const { dataSize, memcmp } = filter as { dataSize?: number; memcmp?: { offset: number } };
    return dataSize !== undefined || memcmp?.offset === 0;
  });
  const accepts = readAccountFilters({ filters: ofKind });
  return ({ templates }) => templates.some(({ account }) => accepts(account));
}

/** The accounts of a scan as texts. */
class AccountTexts {
  readonly #node: MainnetNode;
  readonly #scan: Scan;
  generated = 0;
  count = 0;
  lastAddress: Address | undefined;

  constructor(node: MainnetNode, scan: Scan) {
    this.#node = node;
    this.#scan = scan;
  }

  all(): AsyncIterable<string> {
    return this.page({ limit: Number.POSITIVE_INFINITY, after: undefined, since: toSlot(0n) });
  }

  /** Accounts of the simulated cluster come first. */
  async *page({ limit, after, since }: Page): AsyncIterable<string> {
    const start = after === undefined ? undefined : this.#node.generated.numberOf(after);
    let texts: string[] = [];
    for (const keyed of this.#list({ start, after, since })) {
      texts.push(this.#format(keyed));
      if (this.count >= limit) break;
      if (texts.length < ACCOUNTS_PER_TURN) continue;
      yield this.#join(texts);
      texts = [];
      await nextTurn();
    }
    if (texts.length > 0) yield this.#join(texts);
  }

  *#list({ start, after, since }: Omit<Page, 'limit'> & { readonly start: number | undefined }) {
    if (start === undefined) yield* this.#ownAfter(after, since);
    for (const keyed of this.#generatedFrom(start, since)) {
      this.generated++;
      yield keyed;
    }
  }

  #format(keyed: KeyedAccount): string {
    const { encoding, view } = this.#scan;
    this.count++;
    this.lastAddress = keyed.address;
    return formatJson(encodeKeyedAccount(keyed, encoding, view));
  }

  /** All texts but the first of a response begin with a comma. */
  #join(texts: readonly string[]): string {
    return this.count === texts.length ? texts.join() : `,${texts.join()}`;
  }

  #ownAfter(after: Address | undefined, since: Slot): readonly KeyedAccount[] {
    const { program, accepts, view } = this.#scan;
    const own = [...view.accountsOf(program)].filter(({ account }) => accepts(account));
    const changes = this.#node.bank.changesBetween(toSlot(since - 1n), view.time.slot);
    const written = new Set(changes.flatMap(({ addresses }) => addresses));
    return own
      .filter(({ address }) => since === 0n || written.has(address))
      .filter(({ address }) => after === undefined || address > after)
      .toSorted((a, b) => (a.address < b.address ? -1 : 1));
  }

  *#generatedFrom(after: number | undefined, since: Slot): Iterable<KeyedAccount> {
    const { program, accepts, mayMatch, view } = this.#scan;
    const { generated } = this.#node;
    const { slot } = view.time;
    for (const kind of generated.kinds) {
      if (kind.program !== program || !mayMatch(kind)) continue;
      const start = Math.max(kind.first, after === undefined ? 0 : after + 1);
      for (let number = start; number < kind.first + kind.count; number++) {
        if (since > 0n && generated.lastWritten(number, slot) < since) continue;
        const account = generated.at(number, slot);
        if (account !== undefined && accepts(account)) {
          yield { address: generated.addressOf(number), account };
        }
      }
    }
  }
}
