import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { readGolden } from '../golden/golden.ts';
import {
  type AccountConfig,
  type AccountFilter,
  accountJson,
  matchesFilters,
  type StoredAccount,
} from './static-rpc-accounts.ts';

export type StaticRpc = {
  readonly url: URL;
  /** Number of requests so far. */
  readonly requests: () => number;
  readonly stop: () => Promise<void>;
};

type Options = {
  readonly encodings?: readonly string[];
  /** In addition to the golden accounts. */
  readonly accounts?: readonly StoredAccount[];
};

type AccountsFile = { slot: string; unix: string; accounts: StoredAccount[] };

type Config = AccountConfig & {
  readonly minContextSlot?: number;
  readonly filters?: readonly AccountFilter[];
  readonly withContext?: boolean;
};

type RpcError = { readonly code: number; readonly message: string; readonly data?: unknown };

/** The result as JSON text. */
type Reply = { readonly result: string } | { readonly error: RpcError };

type Method = (params: readonly unknown[]) => Reply;

const MAX_ADDRESSES = 100;
const MAX_FILTERS = 4;
const CLOCK = 'SysvarC1ock11111111111111111111111111111111';
const SYSVARS = 'Sysvar1111111111111111111111111111111111111';
const GENESIS_HASH = 'GH7ome3EiwEr7tu9JuTh2dpYWBJK3z69Xm1ZE3MEE6JC';
/** Storage overhead of an account that rent pays for. */
const ACCOUNT_BYTES = 128;
const LAMPORTS_PER_BYTE = 6_960;
const SAMPLE_SECONDS = 60;
const SLOTS_PER_SAMPLE = 150;

/**
 * The golden accounts over JSON-RPC, at a fixed slot. Written from the nodes' documentation without
 * project code, so that a bug in our reader or cluster has no counterpart here.
 */
export async function startStaticRpc(options: Options = {}): Promise<StaticRpc> {
  const file = readGolden('accounts.json') as AccountsFile;
  const accounts = [...file.accounts, ...(options.accounts ?? []), clockAccount(file)];
  const methods = { ...clusterMethods(file), ...accountMethods({ ...file, accounts }, options) };
  let requests = 0;
  const server = createServer((request, response) => {
    requests += 1;
    void serve(methods, request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: new URL(`http://127.0.0.1:${port}/`),
    requests: () => requests,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

type Methods = Readonly<Record<string, Method>>;

async function serve(methods: Methods, request: IncomingMessage, response: ServerResponse) {
  let text = '';
  for await (const chunk of request) text += String(chunk);
  const { id, reply } = replyTo(methods, text);
  const outcome =
    'result' in reply ? `"result":${reply.result}` : `"error":${JSON.stringify(reply.error)}`;
  response.writeHead(200, { 'content-type': 'application/json; charset=utf-8' });
  response.end(`{"jsonrpc":"2.0",${outcome},"id":${JSON.stringify(id)}}`);
}

type Request = { id: unknown; method: string; params?: unknown[] };

function replyTo(methods: Methods, text: string): { id: unknown; reply: Reply } {
  try {
    const { id, method, params = [] } = JSON.parse(text) as Request;
    return { id, reply: methods[method]?.(params) ?? failure(-32_601, 'Method not found') };
  } catch {
    return { id: null, reply: failure(-32_700, 'Parse error') };
  }
}

function clusterMethods({ slot, unix }: AccountsFile): Methods {
  return {
    getHealth: () => success('ok'),
    getVersion: () => success({ 'feature-set': 3_640_012_085, 'solana-core': '2.3.13' }),
    getGenesisHash: () => success(GENESIS_HASH),
    getSlot: ([config]) => minContextSlotError(config, slot) ?? success(Number(slot)),
    getLatestBlockhash: ([config]) => {
      const value = { blockhash: GENESIS_HASH, lastValidBlockHeight: Number(slot) + 150 };
      return minContextSlotError(config, slot) ?? withSlotContext(slot, JSON.stringify(value));
    },
    getMinimumBalanceForRentExemption: ([bytes]) =>
      success((ACCOUNT_BYTES + Number(bytes)) * LAMPORTS_PER_BYTE),
    getBlockTime: ([requestedSlot]) =>
      String(requestedSlot) === slot
        ? success(Number(unix))
        : failure(-32_004, `Block not available for slot ${requestedSlot}`),
    getRecentPerformanceSamples: ([limit = 720]) =>
      success(
        Array.from({ length: Math.min(Number(limit), 720) }, (_, i) => ({
          numNonVoteTransactions: 0,
          numSlots: SLOTS_PER_SAMPLE,
          numTransactions: 0,
          samplePeriodSecs: SAMPLE_SECONDS,
          slot: Number(slot) - i * SLOTS_PER_SAMPLE,
        })),
      ),
  };
}

function accountMethods(
  { slot, accounts }: AccountsFile,
  { encodings = ['base64', 'base64+zstd'] }: Options,
): Methods {
  const byAddress = new Map(accounts.map((account) => [account.pubkey, account]));
  const find = (address: unknown, config: Config): string => {
    const account = byAddress.get(String(address));
    return account === undefined ? 'null' : accountJson(account, config);
  };
  const withContext = (value: string): Reply => withSlotContext(slot, value);
  const configError = (config: Config): Reply | undefined =>
    encodings.includes(config.encoding ?? '')
      ? minContextSlotError(config, slot)
      : failure(-32_602, `Invalid params: unknown variant \`${config.encoding}\``);
  return {
    getAccountInfo: ([address, param]) => {
      const config = configOf(param);
      return configError(config) ?? withContext(find(address, config));
    },
    getMultipleAccounts: ([param, options]) => {
      // The only method that defaults to base64.
      const config = { encoding: 'base64', ...configOf(options) };
      const addresses = param as string[];
      if (addresses.length > MAX_ADDRESSES) {
        return failure(-32_602, `Too many inputs provided; max ${MAX_ADDRESSES}`);
      }
      const found = addresses.map((address) => find(address, config));
      return configError(config) ?? withContext(`[${found}]`);
    },
    getProgramAccounts: ([program, options]) => {
      const config = configOf(options);
      const { filters = [] } = config;
      if (filters.length > MAX_FILTERS) {
        return failure(-32_602, `Too many filters provided; max ${MAX_FILTERS}`);
      }
      const found = accounts
        .filter((account) => account.owner === program && matchesFilters(account, filters))
        .map(
          (account) => `{"account":${accountJson(account, config)},"pubkey":"${account.pubkey}"}`,
        );
      const list = `[${found}]`;
      return configError(config) ?? (config.withContext ? withContext(list) : { result: list });
    },
  };
}

const configOf = (param: unknown): Config => (param ?? {}) as Config;

const withSlotContext = (slot: string, value: string): Reply => ({
  result: `{"context":{"apiVersion":"2.3.13","slot":${slot}},"value":${value}}`,
});

const success = (result: unknown): Reply => ({ result: JSON.stringify(result) });

const failure = (code: number, message: string, data?: unknown): Reply => ({
  error: { code, message, ...(data === undefined ? {} : { data }) },
});

function minContextSlotError(param: unknown, slot: string): Reply | undefined {
  const { minContextSlot = 0 } = configOf(param);
  if (minContextSlot <= Number(slot)) return undefined;
  const data = { contextSlot: Number(slot) };
  return failure(-32_016, 'Minimum context slot has not been reached', data);
}

/** The file has no sysvars. Slot, epoch start, epoch, leader schedule epoch, unix time. */
function clockAccount({ slot, unix }: AccountsFile): StoredAccount {
  const data = Buffer.alloc(40);
  data.writeBigUInt64LE(BigInt(slot), 0);
  data.writeBigInt64LE(BigInt(unix) - 1_000n, 8);
  data.writeBigUInt64LE(BigInt(slot) / 432_000n, 16);
  data.writeBigUInt64LE(BigInt(slot) / 432_000n + 1n, 24);
  data.writeBigInt64LE(BigInt(unix), 32);
  return { pubkey: CLOCK, owner: SYSVARS, lamports: '1169280', data: data.toString('base64') };
}
