import { deflateRawSync, inflateRawSync } from 'node:zlib';
import {
  type Address,
  addressFromBytes,
  addressToBytes,
  type ChainTime,
  CodedError,
  toSlot,
  toUnixSeconds,
} from '@tidegate/core/base';

/** What a cluster did up to a moment: accounts that changed, slot by slot. */
export type RawStep = {
  readonly at: ChainTime;
  readonly slots: readonly RawSlot[];
  readonly sample?: 'minute' | 'hour' | undefined;
};

type RawSlot = { readonly at: ChainTime; readonly accounts: readonly RawAccountChange[] };

export type RawAccountChange = {
  readonly address: Address;
  readonly account: RawBytes | undefined;
};

type RawBytes = { readonly owner: Address; readonly data: Uint8Array };

const SAMPLES = [undefined, 'minute', 'hour'] as const;
const CLOSED = 0;
const WHOLE = 1;
const DIFFERENCE = 2;

/** Smaller ones are many, and short enough as they are. */
export const MIN_DELTA_BYTES = 4_096;

/** Zeros are most of it: the fastest level is as good as any. */
const LEVEL = { level: 1 };

/**
 * Steps to bytes and back, in their order: of a large account what differs from its bytes before is kept, so that
 * whoever reads goes through all of them from a whole one on.
 */
export class RawStepCodec {
  readonly #before = new Map<Address, Uint8Array>();

  encode(steps: readonly RawStep[]): Uint8Array {
    const parts: Uint8Array[] = [];
    for (const { at, slots, sample } of steps) {
      parts.push(Uint8Array.of(SAMPLES.indexOf(sample)), timeBytes(at), countBytes(slots.length));
      for (const slot of slots) {
        parts.push(timeBytes(slot.at), countBytes(slot.accounts.length));
        for (const change of slot.accounts) this.#encodeChange(change, parts);
      }
    }
    return deflateRawSync(Buffer.concat(parts), LEVEL);
  }

  decode(deflated: Uint8Array): RawStep[] {
    const source = new Source(inflateRawSync(deflated));
    const steps: RawStep[] = [];
    while (!source.isAtEnd) {
      const sample = SAMPLES[source.byte()];
      const at = source.time();
      const slots = Array.from({ length: source.count() }, () => ({
        at: source.time(),
        accounts: Array.from({ length: source.count() }, () => this.#decodeChange(source)),
      }));
      steps.push({ at, slots, sample });
    }
    return steps;
  }

  /** What an account was before the first step that is read or written. */
  begin({ address, account }: RawAccountChange): void {
    this.#remember(address, account?.data);
  }

  #encodeChange({ address, account }: RawAccountChange, parts: Uint8Array[]): void {
    parts.push(addressToBytes(address));
    const before = this.#before.get(address);
    this.#remember(address, account?.data);
    if (account === undefined) {
      parts.push(Uint8Array.of(CLOSED));
      return;
    }
    const { owner, data } = account;
    const isCompared = before?.length === data.length;
    parts.push(Uint8Array.of(isCompared ? DIFFERENCE : WHOLE), addressToBytes(owner));
    parts.push(countBytes(data.length));
    parts.push(isCompared ? difference(data, before) : data);
  }

  #decodeChange(source: Source): RawAccountChange {
    const address = addressFromBytes(source.take(32));
    const form = source.byte();
    const before = this.#before.get(address);
    if (form === CLOSED) {
      this.#remember(address, undefined);
      return { address, account: undefined };
    }
    const owner = addressFromBytes(source.take(32));
    const bytes = source.take(source.count());
    if (form === DIFFERENCE && before?.length !== bytes.length) {
      throw malformed(`nothing is known of ${address} before`);
    }
    const data = form === DIFFERENCE && before ? difference(bytes, before) : new Uint8Array(bytes);
    this.#remember(address, data);
    return { address, account: { owner, data } };
  }

  #remember(address: Address, data: Uint8Array | undefined): void {
    if (data !== undefined && data.length >= MIN_DELTA_BYTES) this.#before.set(address, data);
    else this.#before.delete(address);
  }
}

/** Its own inverse. */
function difference(a: Uint8Array, b: Uint8Array): Uint8Array {
  const result = new Uint8Array(a);
  // four at a time, from copies that begin where such numbers may
  const words = new Uint32Array(result.buffer, 0, result.length >> 2);
  const others = new Uint32Array(new Uint8Array(b).buffer, 0, words.length);
  for (let i = 0; i < words.length; i++) words[i] = (words[i] ?? 0) ^ (others[i] ?? 0);
  for (let i = words.length << 2; i < a.length; i++) result[i] = (a[i] ?? 0) ^ (b[i] ?? 0);
  return result;
}

function timeBytes({ slot, unix }: ChainTime): Uint8Array {
  const bytes = Buffer.alloc(16);
  bytes.writeBigUInt64LE(slot, 0);
  bytes.writeBigInt64LE(unix, 8);
  return bytes;
}

function countBytes(count: number): Uint8Array {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(count);
  return bytes;
}

class Source {
  readonly #bytes: Buffer;
  #at = 0;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  get isAtEnd(): boolean {
    return this.#at === this.#bytes.length;
  }

  take(length: number): Uint8Array {
    const end = this.#at + length;
    if (end > this.#bytes.length) throw malformed('it is cut short');
    const taken = this.#bytes.subarray(this.#at, end);
    this.#at = end;
    return taken;
  }

  byte = (): number => this.take(1)[0] ?? 0;
  count = (): number => Buffer.from(this.take(4)).readUInt32LE();

  time(): ChainTime {
    const bytes = Buffer.from(this.take(16));
    const unix = toUnixSeconds(bytes.readBigInt64LE(8));
    return { slot: toSlot(bytes.readBigUInt64LE(0)), unix };
  }
}

const malformed = (reason: string): CodedError =>
  new CodedError('MALFORMED_DATA', { what: 'kept step', reason });
