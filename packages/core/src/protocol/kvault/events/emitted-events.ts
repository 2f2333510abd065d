import { lamports } from '../../../base/encoding/branded-fields.ts';
import { bytesEqual, bytesFromHex } from '../../../base/encoding/bytes.ts';
import { type Decoded, type Shape, struct, u64 } from '../../../base/encoding/layout.ts';
import type { Call } from '../../spl/transaction/call-tree.ts';
import { eventAuthority } from '../pda.ts';

/** The program emits events by calling itself with this tag. */
export const EVENT_IX_TAG = bytesFromHex('e445a52e51cb9a1d');

export const depositUserAtaBalance = emitted('DepositUserAtaBalanceEvent', 'cac7acd424ae7a0e', {
  userAtaBalance: lamports,
});

export const depositResult = emitted('DepositResultEvent', '7b40dc0458677fcc', {
  sharesToMint: u64,
  tokenToDeposit: lamports,
  crankFundsToDeposit: lamports,
});

export const sharesToWithdraw = emitted('SharesToWithdrawEvent', '7cdca0f5a6443fc6', {
  sharesAmount: u64,
  userSharesBefore: u64,
});

export const withdrawResult = emitted('WithdrawResultEvent', '14bf0fe7c4316526', {
  sharesToBurn: u64,
  availableToSendToUser: lamports,
  investedToDisinvestCtokens: u64,
  investedLiquidityToSendToUser: lamports,
});

export const redeemInKindResult = emitted('RedeemInKindResultEvent', '1bbf5aa36a7e9a6c', {
  sharesToBurn: u64,
  ctokensToSendToUser: u64,
});

const all = [
  depositUserAtaBalance,
  depositResult,
  sharesToWithdraw,
  withdrawResult,
  redeemInKindResult,
];

/** The name of the event in a self-CPI of the program. */
export function emittedEventName(call: Call): string | undefined {
  return all.find((event) => event.decode(call) !== undefined)?.name;
}

/** Returns undefined if the program did not emit the event. Its first versions did not. */
export function findEmittedEvent<Value>(
  call: Call,
  event: { decode(call: Call): Value | undefined },
): Value | undefined {
  for (const child of call.children) {
    const value = child.program === call.program ? event.decode(child) : undefined;
    if (value !== undefined) return value;
  }
  return undefined;
}

function emitted<const S extends Shape>(name: string, discriminator: string, fields: S) {
  const body = struct(fields);
  const start = bytesFromHex(discriminator);
  const bodyAt = EVENT_IX_TAG.length + start.length;
  return {
    name,
    /** Encodes the data of the self-CPI. */
    encode(value: Decoded<typeof body>): Uint8Array {
      const data = new Uint8Array(bodyAt + body.size);
      data.set(EVENT_IX_TAG);
      data.set(start, EVENT_IX_TAG.length);
      body.encode(new DataView(data.buffer), bodyAt, value);
      return data;
    },
    /** Returns undefined for another event and for a call that the program did not make. */
    decode({ program, accounts, data }: Call): Decoded<typeof body> | undefined {
      if (!bytesEqual(data.subarray(0, EVENT_IX_TAG.length), EVENT_IX_TAG)) return undefined;
      if (!bytesEqual(data.subarray(EVENT_IX_TAG.length, bodyAt), start)) return undefined;
      if (data.length < bodyAt + body.size) return undefined;
      if (accounts.length !== 1 || accounts[0] !== eventAuthority(program)) return undefined;
      return body.decode(new DataView(data.buffer, data.byteOffset, data.length), bodyAt);
    },
  };
}
