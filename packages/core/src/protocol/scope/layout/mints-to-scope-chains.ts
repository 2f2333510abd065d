import { bytesEqual, bytesFromHex } from '../../../base/encoding/bytes.ts';
import {
  array,
  type Decoded,
  pubkey,
  struct,
  u8,
  u16,
  u32,
  u64,
} from '../../../base/encoding/layout.ts';
import { CodedError } from '../../../base/errors.ts';
import type { RawAccount } from '../../../base/solana/account.ts';
import { SCOPE_PROGRAMS } from '../program.ts';

const NAME = 'scope.MintsToScopeChains';
const discriminator = bytesFromHex('9cec3814278d2ab7');

const header = struct({ oraclePrices: pubkey, seedPk: pubkey, seedId: u64, bump: u8, count: u32 });

const mintToScopeChain = struct({ mint: pubkey, scopeChain: array(u16, 4) });

type Header = Omit<Decoded<typeof header>, 'count'>;

/** The price chains of mints in one price account. */
export type MintsToScopeChains = Header & {
  readonly mapping: readonly Decoded<typeof mintToScopeChain>[];
};

const START = discriminator.length + header.size;

const sizeOf = (count: number): number => START + count * mintToScopeChain.size;

/** The only account without a fixed size: it ends with a list. */
export const mintsToScopeChains = {
  name: NAME,
  discriminator,
  matches: ({ owner, data }: RawAccount): boolean =>
    SCOPE_PROGRAMS.includes(owner) &&
    data.length >= START &&
    bytesEqual(data.subarray(0, discriminator.length), discriminator),
  decode: decodeMintsToScopeChains,
  encode: encodeMintsToScopeChains,
};

function decodeMintsToScopeChains(account: RawAccount): MintsToScopeChains {
  const source = open(account);
  const { count, ...rest } = header.decode(source, discriminator.length);
  const size = source.byteLength;
  if (size !== sizeOf(count)) {
    const accepts = `${sizeOf(count)} for its ${count} entries`;
    throw new CodedError('ACCOUNT_WRONG_SIZE', { account: NAME, size, accepts });
  }
  const mapping = Array.from({ length: count }, (_, i) =>
    mintToScopeChain.decode(source, sizeOf(i)),
  );
  return { ...rest, mapping };
}

function encodeMintsToScopeChains({ mapping, ...rest }: MintsToScopeChains): Uint8Array {
  const data = new Uint8Array(sizeOf(mapping.length));
  const target = new DataView(data.buffer);
  data.set(discriminator);
  header.encode(target, discriminator.length, { ...rest, count: mapping.length });
  mapping.forEach((entry, i) => {
    mintToScopeChain.encode(target, sizeOf(i), entry);
  });
  return data;
}

function open({ owner, data }: RawAccount): DataView {
  if (!SCOPE_PROGRAMS.includes(owner)) {
    throw new CodedError('ACCOUNT_WRONG_OWNER', { account: NAME, owner });
  }
  if (data.length < START) {
    const accepts = `at least ${START}`;
    throw new CodedError('ACCOUNT_WRONG_SIZE', { account: NAME, size: data.length, accepts });
  }
  if (!bytesEqual(data.subarray(0, discriminator.length), discriminator)) {
    throw new CodedError('ACCOUNT_WRONG_DISCRIMINATOR', { account: NAME });
  }
  return new DataView(data.buffer, data.byteOffset, data.length);
}
