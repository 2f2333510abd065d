import { type Address, parseAddress } from '@tidegate/core/base';
import { tokenAccount } from '@tidegate/core/protocol/spl/layout';
import { hasCode } from '../errors/index.ts';
import type { ForkedAccounts } from '../fork/forked-accounts.ts';
import type { Bank } from '../runtime/bank.ts';
import {
  type LoadedTransaction,
  loadTransaction,
} from '../runtime/transactions/load-transaction.ts';
import type { ReceivedTransaction } from '../runtime/transactions/received-transaction.ts';
import { isObject, type JsonObject } from './json.ts';
import { readTransactionParam } from './methods/transaction-params.ts';
import type { RpcNode } from './rpc-node.ts';

type Params = readonly unknown[];

type ForkedRead = (fork: ForkedAccounts, params: Params, node: RpcNode) => Promise<void>;

/** What each method reads. Methods that are not listed read no accounts. */
const readsByMethod: ReadonlyMap<string, ForkedRead> = new Map<string, ForkedRead>([
  ['getAccountInfo', loadWithMints],
  ['getBalance', loadWithMints],
  ['getMultipleAccounts', loadWithMints],
  ['getTokenAccountBalance', loadWithMints],
  ['getTokenSupply', loadWithMints],
  ['requestAirdrop', loadWithMints],
  ['getProgramAccounts', scanProgram],
  ['getProgramAccountsV2', scanProgram],
  ['getTokenAccountsByOwner', scanTokenAccounts],
  ['getTokenLargestAccounts', (fork, params) => loadHolders(fork, params)],
  ['sendTransaction', loadOfTransaction],
  ['simulateTransaction', loadOfTransaction],
]);

/**
 * Reads what a call needs from the origin of a fork. Parameters are only read as far as they are understood: the method
 * itself rejects invalid ones.
 */
export async function loadForkedAccounts(
  node: RpcNode,
  method: string,
  params: unknown,
): Promise<void> {
  const { fork } = node;
  const read = readsByMethod.get(method);
  if (fork === undefined || read === undefined || !Array.isArray(params)) return;
  await read(fork, params, node);
}

/** The first parameter is an address or a list of them. */
async function loadWithMints(fork: ForkedAccounts, [keys]: Params, node: RpcNode): Promise<void> {
  const addresses = addressesIn(Array.isArray(keys) ? keys : [keys]);
  await fork.load(addresses);
  await loadMints(fork, addresses, node);
}

/** Parsed token accounts and token balances need the decimals of their mints. */
async function loadMints(
  fork: ForkedAccounts,
  addresses: readonly Address[],
  { bank }: Pick<RpcNode, 'bank'>,
): Promise<void> {
  const mints = addresses.flatMap((address) => {
    const account = bank.account(address);
    return account !== undefined && tokenAccount.matches(account)
      ? tokenAccount.view(account).mint
      : [];
  });
  await fork.load(mints);
}

async function scanProgram(fork: ForkedAccounts, [program, options]: Params): Promise<void> {
  const filters = configOf(options)['filters'] ?? [];
  if (addressesIn([program]).length === 0) return;
  await fork.scan('getProgramAccounts', [program], { filters });
}

async function scanTokenAccounts(
  fork: ForkedAccounts,
  [owner, filter]: Params,
  node: RpcNode,
): Promise<void> {
  if (addressesIn([owner]).length === 0 || !isObject(filter)) return;
  await fork.load(addressesIn([filter['mint']]));
  await fork.scan('getTokenAccountsByOwner', [owner, filter]);
  const owned = fork.reads().map(({ address }) => address);
  await loadMints(fork, owned, node);
}

async function loadHolders(fork: ForkedAccounts, [key]: Params): Promise<void> {
  const mints = addressesIn([key]);
  await fork.load(mints);
  for (const mint of mints) await fork.loadLargestHolders(mint);
}

async function loadOfTransaction(
  fork: ForkedAccounts,
  [text, options]: Params,
  { bank }: RpcNode,
): Promise<void> {
  const received = receivedOf(text, configOf(options));
  if (received !== undefined) await loadTransactionAccounts(fork, received, bank);
}

/** Lookup tables first, which say what the other accounts are. */
export async function loadTransactionAccounts(
  fork: ForkedAccounts,
  received: ReceivedTransaction,
  bank: Bank,
): Promise<void> {
  await fork.load(received.message.lookups.map(({ table }) => table));
  const addresses = accountsOf(received, bank);
  await fork.load(addresses);
  await loadMints(fork, addresses, { bank });
}

/** Without a table that is missing, at least the static accounts. */
function accountsOf(received: ReceivedTransaction, bank: Bank): readonly Address[] {
  const loaded = loadTransaction(received, bank, bank.slot);
  return isLoaded(loaded)
    ? loaded.accounts.map(({ address }) => address)
    : received.message.staticKeys;
}

const isLoaded = (loaded: ReturnType<typeof loadTransaction>): loaded is LoadedTransaction =>
  typeof loaded === 'object' && 'wire' in loaded;

function receivedOf(text: unknown, config: JsonObject): ReceivedTransaction | undefined {
  if (typeof text !== 'string') return undefined;
  try {
    return readTransactionParam(text, config);
  } catch (error) {
    if (hasCode(error, 'RPC_REFUSAL')) return undefined;
    throw error;
  }
}

const configOf = (value: unknown): JsonObject => (isObject(value) ? value : {});

const addressesIn = (keys: Params): Address[] =>
  keys.flatMap((key) => (typeof key === 'string' ? (parseAddress(key) ?? []) : []));
