/** What a provider may do. All faults are off by default and can change while the node runs. */
export type NodeFaults = {
  /** `not-found`: the upgrade is answered with 404. `refused`: the connection is closed. */
  readonly webSocket?: 'not-found' | 'refused';
  /** The subscription to the clock account is confirmed, but nothing is sent for it. */
  readonly withoutClockNotifications?: boolean;
  /** All subscriptions are confirmed, but nothing is sent for them. */
  readonly silentSubscriptions?: boolean;
  /**
   * How `getProgramAccounts` fails: excluded from the indexes of the node (-32010), not part of the
   * plan (-32601), or removed (status 410).
   */
  readonly scans?: 'excluded' | 'not-available' | 'gone';
  /** `rejected`: invalid params (-32602). `ignored`: answers may be older than requested. */
  readonly minContextSlot?: 'rejected' | 'ignored';
  readonly genesisHash?: string;
  readonly delayMs?: number;
  /** Status 429 for this many requests. */
  readonly rateLimited?: { readonly requests: number; readonly retryAfterSeconds: number };
  /** Responses beyond `bytes` fail with status 413 or with a JSON-RPC error. */
  readonly maxResponse?: { readonly bytes: number; readonly as: 'status' | 'error' };
  /** Methods that the node does not know (-32601). */
  readonly unknownMethods?: readonly string[];
  /** The slot no longer advances by itself. */
  readonly stoppedSlots?: boolean;
  readonly withoutBatches?: boolean;
  /** Of account data. */
  readonly encodings?: readonly string[];
  /** Most addresses of `getMultipleAccounts`. */
  readonly maxAddresses?: number;
};

type RpcError = { readonly code: number; readonly message: string; readonly data?: unknown };

/** `status`: an HTTP failure without a JSON-RPC body. */
export type Reply =
  | { readonly result: unknown }
  | { readonly error: RpcError }
  | { readonly status: number; readonly retryAfterSeconds?: number };

export type RpcRequest = {
  readonly id: unknown;
  readonly method: string;
  readonly params: readonly unknown[];
};

export const rpcError = (code: number, message: string, data?: unknown): Reply => ({
  error: { code, message, ...(data !== undefined && { data }) },
});

/** JSON with integers that exceed doubles. */
export const toJson = (value: unknown): string =>
  JSON.stringify(value, (_, each) =>
    typeof each === 'bigint' ? `${INTEGER}${each}` : each,
  ).replaceAll(QUOTED_INTEGER, '$1');

/** Marks an integer; occurs in no string of a node. */
const INTEGER = 'integer:';
const QUOTED_INTEGER = /"integer:(-?\d+)"/g;

export const methodNotFound = (): Reply => rpcError(-32_601, 'Method not found');

/** Answers older than the current slot if the node ignores `minContextSlot`. */
const IGNORED_LAG_SLOTS = 3n;

/** Faults that can be changed, and how many requests are still limited. */
export class FaultSwitches {
  #faults: NodeFaults = {};
  #limitedRequests = 0;

  get current(): NodeFaults {
    return this.#faults;
  }

  /** Replaces all faults. */
  set(faults: NodeFaults): void {
    this.#faults = faults;
    this.#limitedRequests = faults.rateLimited?.requests ?? 0;
  }

  /** The reply to a request that fails; undefined if it does not. */
  replyTo({ method, params }: RpcRequest): Reply | undefined {
    const { rateLimited, unknownMethods = [], scans, minContextSlot } = this.#faults;
    if (rateLimited !== undefined && this.#limitedRequests > 0) {
      this.#limitedRequests -= 1;
      return { status: 429, retryAfterSeconds: rateLimited.retryAfterSeconds };
    }
    if (unknownMethods.includes(method)) return methodNotFound();
    if (method === 'getProgramAccounts' && scans !== undefined) return scanReply(scans, params[0]);
    if (minContextSlot === 'rejected' && params.some(hasMinContextSlot)) {
      return rpcError(-32_602, 'Invalid params: unknown field `minContextSlot`');
    }
    return undefined;
  }

  /** Slots by which answers are behind. */
  lagSlots(): bigint {
    return this.#faults.minContextSlot === 'ignored' ? IGNORED_LAG_SLOTS : 0n;
  }

  /** A response that is too large for the node. */
  limitSize(reply: Reply): Reply {
    const { maxResponse } = this.#faults;
    if (maxResponse === undefined || !('result' in reply)) return reply;
    if (toJson(reply.result).length <= maxResponse.bytes) return reply;
    return maxResponse.as === 'status'
      ? { status: 413 }
      : rpcError(-32_008, 'Response is too big', `Exceeded max limit of ${maxResponse.bytes}`);
  }
}

function scanReply(fault: 'excluded' | 'not-available' | 'gone', program: unknown): Reply {
  if (fault === 'gone') return { status: 410 };
  if (fault === 'not-available') {
    return rpcError(-32_601, 'getProgramAccounts is not available on your plan');
  }
  const text = 'excluded from account secondary indexes; this RPC method unavailable for key';
  return rpcError(-32_010, `${program} ${text}`);
}

const hasMinContextSlot = (param: unknown): boolean =>
  typeof param === 'object' && param !== null && 'minContextSlot' in param;
