import { deflateRawSync, inflateRawSync } from 'node:zlib';
import {
  type Address,
  addressFromBytes,
  addressToBytes,
  type ChainTime,
  toSlot,
  toUnixSeconds,
} from '@tidegate/core/base';
import { CodedError } from '../../errors.ts';

/** The account changes of a cluster up to a time, slot by slot. */
export type RawStep = {
  readonly at: ChainTime;
  readonly slots: readonly RawSlot[];
  readonly sample?: 'minute' | 'hour' | undefined;
  /** Whether accounts that existed are missing, because a recorder that has started adds them with the next steps. */
  readonly isPartial?: boolean | undefined;
};

type RawSlot = { readonly at: ChainTime; readonly accounts: readonly RawAccountChange[] };

export type RawAccountChange = {
  readonly address: Address;
  readonly account: RawBytes | undefined;
};

type RawBytes = { readonly owner: Address; readonly data: Uint8Array };

const SAMPLES = [undefined, 'minute', 'hour'] as const;
/** Stored instead of the number of the sample. */
const PARTIAL = SAMPLES.length;
const CLOSED = 0;
const WHOLE = 1;
const DIFFERENCE = 2;

/** Smaller accounts are stored whole: they are many, and short anyway. */
export const MIN_DELTA_BYTES = 4_096;

/** Most bytes are zero, so the fastest level compresses as well as any. */
const LEVEL = { level: 1 };

/**
 * Encodes and decodes steps in order. A large account is stored as the difference from its previous version, so steps
 * must be decoded from a whole version on.
 */
export class RawStepCodec {
  readonly #previous = new Map<Address, Uint8Array>();

  encode(steps: readonly RawStep[]): Uint8Array {
    const parts: Uint8Array[] = [];
    for (const { at, slots, sample, isPartial } of steps) {
      const mark = isPartial ? PARTIAL : SAMPLES.indexOf(sample);
      parts.push(Uint8Array.of(mark), timeBytes(at), countBytes(slots.length));
      for (const slot of slots) {
        parts.push(timeBytes(slot.at), countBytes(slot.accounts.length));
        for (const change of slot.accounts) this.#encodeChange(change, parts);
      }
    }
    return deflateRawSync(Buffer.concat(parts), LEVEL);
  }

  decode(deflated: Uint8Array): RawStep[] {
    const reader = new ByteReader(inflateRawSync(deflated));
    const steps: RawStep[] = [];
    while (!reader.isAtEnd) {
      const mark = reader.byte();
      const at = reader.time();
      const slots = Array.from({ length: reader.count() }, () => ({
        at: reader.time(),
        accounts: Array.from({ length: reader.count() }, () => this.#decodeChange(reader)),
      }));
      steps.push({ at, slots, sample: SAMPLES[mark], isPartial: mark === PARTIAL });
    }
    return steps;
  }

  /** Sets the version of an account before the first step. */
  setBaseline({ address, account }: RawAccountChange): void {
    this.#setPrevious(address, account?.data);
  }

  #encodeChange({ address, account }: RawAccountChange, parts: Uint8Array[]): void {
    parts.push(addressToBytes(address));
    const before = this.#previous.get(address);
    this.#setPrevious(address, account?.data);
    if (account === undefined) {
      parts.push(Uint8Array.of(CLOSED));
      return;
    }
    const { owner, data } = account;
    const isDelta = before?.length === data.length;
    parts.push(Uint8Array.of(isDelta ? DIFFERENCE : WHOLE), addressToBytes(owner));
    parts.push(countBytes(data.length));
    parts.push(isDelta ? difference(data, before) : data);
  }

  #decodeChange(reader: ByteReader): RawAccountChange {
    const address = addressFromBytes(reader.take(32));
    const form = reader.byte();
    const before = this.#previous.get(address);
    if (form === CLOSED) {
      this.#setPrevious(address, undefined);
      return { address, account: undefined };
    }
    const owner = addressFromBytes(reader.take(32));
    const bytes = reader.take(reader.count());
    if (form === DIFFERENCE && before?.length !== bytes.length) {
      throw malformed(`the previous version of ${address} is unknown`);
    }
    const data = form === DIFFERENCE && before ? difference(bytes, before) : new Uint8Array(bytes);
    this.#setPrevious(address, data);
    return { address, account: { owner, data } };
  }

  #setPrevious(address: Address, data: Uint8Array | undefined): void {
    if (data !== undefined && data.length >= MIN_DELTA_BYTES) this.#previous.set(address, data);
    else this.#previous.delete(address);
  }
}

/** XOR, which is its own inverse. */
function difference(a: Uint8Array, b: Uint8Array): Uint8Array {
  const result = new Uint8Array(a);
  // four bytes at a time, on aligned copies
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

class ByteReader {
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
    if (end > this.#bytes.length) throw malformed('it is truncated');
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
  new CodedError('MALFORMED_DATA', { what: 'stored step', reason });
