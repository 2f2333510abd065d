import {
  type AccountConfig,
  accountJson,
  isKnownEncoding,
  matchesFilters,
} from './account-json.ts';
import {
  type FaultSwitches,
  methodNotFound,
  type Reply,
  type RpcRequest,
  rpcError,
} from './node-faults.ts';
import type { NodeState } from './node-state.ts';
import {
  mentionedAddresses,
  type RecordedTransaction,
  rentExemptLamports,
  signatureOf,
} from './recorded-set.ts';

type Method = (params: readonly unknown[]) => Reply;
type Methods = Readonly<Record<string, Method>>;

type SignatureRange = {
  readonly limit?: number;
  readonly before?: string;
  readonly until?: string;
};

const MAINNET_GENESIS_HASH = '5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuc147dw2N9d';
const MAX_ADDRESSES = 100;
const MAX_FILTERS = 4;
const MAX_SIGNATURES = 1_000;
const SAMPLE_SECONDS = 60;
const SLOTS_PER_SAMPLE = 150;
/** Finalized slots follow confirmed ones by about this much. */
const FINALIZED_LAG_SLOTS = 32n;

/** Replies to one request, as a node does at the current slot of `state`. */
export function createNodeMethods(
  state: NodeState,
  faults: FaultSwitches,
): (request: RpcRequest) => Reply {
  const methods: Methods = {
    ...clusterMethods(state, faults),
    ...accountMethods(state, faults),
    ...ledgerMethods(state),
  };
  return (request) => {
    const { method, params } = request;
    return faults.replyTo(request) ?? methods[method]?.(params) ?? methodNotFound();
  };
}

function clusterMethods(state: NodeState, faults: FaultSwitches): Methods {
  return {
    getHealth: () => ({ result: 'ok' }),
    getVersion: () => ({ result: { 'feature-set': 3_640_012_085, 'solana-core': '2.3.13' } }),
    getGenesisHash: () => ({ result: faults.current.genesisHash ?? MAINNET_GENESIS_HASH }),
    getSlot: ([config]) => {
      const { commitment } = (config ?? {}) as { commitment?: string };
      const lag = commitment === 'finalized' ? FINALIZED_LAG_SLOTS : 0n;
      return lagError(state, faults, config) ?? { result: Number(state.slot - lag) };
    },
    getMinimumBalanceForRentExemption: ([bytes]) => ({
      result: rentExemptLamports(Number(bytes)),
    }),
    getBlockTime: ([slot]) => ({ result: Number(state.unixAt(BigInt(Number(slot)))) }),
    getLatestBlockhash: ([config]) => {
      const value = {
        blockhash: MAINNET_GENESIS_HASH,
        lastValidBlockHeight: Number(state.slot) + 150,
      };
      return lagError(state, faults, config) ?? withContext(state, faults, value);
    },
    getRecentPerformanceSamples: ([limit]) => ({
      result: Array.from({ length: Math.min(Number(limit ?? 720), 720) }, (_, i) => ({
        numNonVoteTransactions: 0,
        numSlots: SLOTS_PER_SAMPLE,
        numTransactions: 0,
        samplePeriodSecs: SAMPLE_SECONDS,
        slot: Number(state.slot) - i * SLOTS_PER_SAMPLE,
      })),
    }),
    simulateTransaction: () => rpcError(-32_601, 'simulateTransaction is not supported'),
  };
}

function accountMethods(state: NodeState, faults: FaultSwitches): Methods {
  const find = (address: unknown, config: AccountConfig): unknown => {
    const account = state.account(String(address), state.slot - faults.lagSlots());
    return account === undefined ? null : accountJson(account, config);
  };
  const configError = (config: AccountConfig): Reply | undefined =>
    isKnownEncoding(config, faults.current.encodings)
      ? lagError(state, faults, config)
      : rpcError(-32_602, `Invalid params: unknown variant \`${config.encoding}\``);
  const send = (value: unknown): Reply => withContext(state, faults, value);
  return {
    getAccountInfo: ([address, param]) => {
      const config = configOf(param);
      return configError(config) ?? send(find(address, config));
    },
    getMultipleAccounts: ([param, options]) => {
      const config = configOf(options);
      const addresses = param as readonly string[];
      const limit = faults.current.maxAddresses ?? MAX_ADDRESSES;
      if (addresses.length > limit) {
        return rpcError(-32_602, `Too many inputs provided; max ${limit}`);
      }
      return configError(config) ?? send(addresses.map((address) => find(address, config)));
    },
    getProgramAccounts: ([program, options]) => {
      const config = configOf(options);
      if ((config.filters ?? []).length > MAX_FILTERS) {
        return rpcError(-32_602, `Too many filters provided; max ${MAX_FILTERS}`);
      }
      const found = state
        .programAccounts(String(program))
        .filter(({ account }) => matchesFilters(account, config))
        .map(({ address, account }) => ({
          account: accountJson(account, config),
          pubkey: address,
        }));
      return configError(config) ?? (config.withContext ? send(found) : { result: found });
    },
  };
}

function ledgerMethods(state: NodeState): Methods {
  return {
    getSignaturesForAddress: ([address, range]) => ({
      result: selectRange(
        state.transactions().filter((each) => mentionedAddresses(each).includes(String(address))),
        (range ?? {}) as SignatureRange,
      ).map(({ slot, blockTime, meta, ...rest }) => ({
        signature: signatureOf({ slot, blockTime, meta, ...rest }),
        slot,
        blockTime,
        err: meta.err,
        memo: null,
        confirmationStatus: 'finalized',
      })),
    }),
    getTransaction: ([signature]) => ({
      result: state.transactions().find((each) => signatureOf(each) === signature) ?? null,
    }),
    getBlock: ([slot]) => {
      const own = state.transactions().filter((each) => each.slot === slot);
      if (own.length === 0) {
        return rpcError(-32_009, `Slot ${slot} was skipped, or missing in long-term storage`);
      }
      const blockTime = own[0]?.blockTime ?? null;
      return { result: { blockTime, signatures: own.map(signatureOf) } };
    },
  };
}

/** Newest first: after `before`, up to but without `until`. */
function selectRange(
  transactions: readonly RecordedTransaction[],
  { limit = MAX_SIGNATURES, before, until }: SignatureRange,
): readonly RecordedTransaction[] {
  const signatures = transactions.map(signatureOf);
  const start = before === undefined ? 0 : signatures.indexOf(before) + 1;
  const end = until === undefined ? -1 : signatures.indexOf(until);
  return transactions.slice(start, end === -1 ? undefined : end).slice(0, limit);
}

const configOf = (param: unknown): AccountConfig => (param ?? {}) as AccountConfig;

function withContext(state: NodeState, faults: FaultSwitches, value: unknown): Reply {
  const slot = Number(state.slot - faults.lagSlots());
  return { result: { context: { apiVersion: '2.3.13', slot }, value } };
}

function lagError(state: NodeState, faults: FaultSwitches, param: unknown): Reply | undefined {
  const { minContextSlot = 0 } = configOf(param);
  if (faults.current.minContextSlot === 'ignored' || BigInt(minContextSlot) <= state.slot) {
    return undefined;
  }
  const data = { contextSlot: Number(state.slot) };
  return rpcError(-32_016, 'Minimum context slot has not been reached', data);
}
