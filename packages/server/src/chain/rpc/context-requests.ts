import type { Commitment, Slot } from '@tidegate/core/base';
import { CodedError } from '../../errors.ts';
import { type JsonRpc, type RpcCall, wrapAsSourceError } from './json-rpc.ts';
import { requireContextSlot, requireObject } from './response-values.ts';
import { isInvalidParams } from './rpc-errors.ts';
import type { SlotValidator } from './slot-validator.ts';

type ContextRequestsOptions = {
  readonly name: string;
  readonly commitment: Commitment;
  readonly rpc: JsonRpc;
  readonly validator: SlotValidator;
  readonly timeoutMs: (method: string) => number;
};

/** A request whose response has a context slot and a value. */
type ContextRequest<Value> = Pick<RpcCall, 'method' | 'minSlot' | 'onElement' | 'transformText'> & {
  /** The parameter before the configuration. */
  readonly subject?: unknown;
  readonly config?: Readonly<Record<string, unknown>>;
  readonly parse: (value: unknown) => Value;
};

type ContextResult<Value> = { readonly slot: Slot; readonly value: Value };

/** Sends requests with commitment and minimum slot, and checks the slot of each response. */
export class ContextRequests {
  readonly #options: ContextRequestsOptions;
  #knowsMinContextSlot = true;

  constructor(options: ContextRequestsOptions) {
    this.#options = options;
  }

  /** Nodes may not know `minContextSlot` or ignore it, so the slot of the response is always compared with `minSlot`. */
  async send<Value>(request: ContextRequest<Value>): Promise<ContextResult<Value>> {
    const { validator, name } = this.#options;
    const { minSlot, parse } = request;
    const before = validator.highestSlot;
    const result = await this.#request(request);
    const parsed = this.#parse(() => ({
      value: parse(requireObject(result, 'response')['value']),
      slot: requireContextSlot(result),
    }));
    const { slot } = parsed;
    if (minSlot !== undefined && slot < minSlot) {
      throw new CodedError('SOURCE_LAGS', { source: name, slot, minSlot });
    }
    await validator.check(slot, before);
    return parsed;
  }

  /** Sends `minContextSlot` unless a request succeeded only without it. */
  async #request<Value>(request: ContextRequest<Value>): Promise<unknown> {
    const { minSlot } = request;
    if (minSlot === undefined || !this.#knowsMinContextSlot) return this.#send(request, {});
    try {
      return await this.#send(request, { minContextSlot: Number(minSlot) });
    } catch (error) {
      if (!isInvalidParams(error)) throw error;
      const result = await this.#send(request, {});
      this.#knowsMinContextSlot = false;
      return result;
    }
  }

  #send<Value>(
    request: ContextRequest<Value>,
    minContextSlot: Readonly<Record<string, number>>,
  ): Promise<unknown> {
    const { rpc, commitment, timeoutMs } = this.#options;
    const { subject, config, parse: _, ...call } = request;
    const fullConfig = { ...config, commitment, ...minContextSlot };
    return rpc({
      ...call,
      params: subject === undefined ? [fullConfig] : [subject, fullConfig],
      timeoutMs: timeoutMs(call.method),
    });
  }

  #parse<Value>(parse: () => Value): Value {
    try {
      return parse();
    } catch (error) {
      throw error instanceof CodedError ? wrapAsSourceError(error, this.#options.name) : error;
    }
  }
}
