import {
  type Address,
  type Bsf,
  bsfFromBits,
  type Sf,
  sfFromBits,
  ZERO_ADDRESS,
} from '@tidegate/core/base';
import type { ObligationView } from '@tidegate/core/protocol/klend/layout';
import { AddressNumbers } from './address-numbers.ts';
import { RecordReader, RecordWriter } from './record-bytes.ts';

export type Deposit = { readonly depositReserve: Address; readonly depositedAmount: bigint };

export type Borrow = {
  readonly borrowReserve: Address;
  readonly borrowedAmountSf: Sf;
  readonly cumulativeBorrowRateBsf: { readonly value: Bsf };
};

/** The relevant fields of a loan, without empty deposit and borrow slots. */
type Loan = {
  readonly owner: Address;
  readonly market: Address;
  readonly tag: bigint;
  readonly elevationGroup: number;
  readonly fields: { readonly deposits: readonly Deposit[]; readonly borrows: readonly Borrow[] };
};

/** `isSeen`: whether it was seen since the recorder has started. */
export type RecordedLoan = Loan & { readonly isSeen: boolean };

/** Widths of integers, in words of 64 bits. */
const U64 = 1;
const U128 = 2;
const U256 = 4;

/** Encodes the loans of a recorder, in about 150 bytes each. */
export class LoanCodec {
  readonly #addresses = new AddressNumbers();
  readonly #writer = new RecordWriter();

  /** The result is valid until the next call. */
  encode({ isSeen, market, owner, tag, elevationGroup, fields }: RecordedLoan): Uint8Array {
    const { deposits, borrows } = fields;
    const numberOf = (address: Address) => this.#addresses.numberOf(address);
    const writer = this.#writer.byte(isSeen ? 1 : 0).byte(elevationGroup);
    writer.byte(deposits.length).byte(borrows.length);
    writer.number(numberOf(market)).integer(tag, U64).address(owner);
    for (const { depositReserve, depositedAmount } of deposits) {
      writer.number(numberOf(depositReserve)).integer(depositedAmount, U64);
    }
    for (const { borrowReserve, borrowedAmountSf, cumulativeBorrowRateBsf } of borrows) {
      writer.number(numberOf(borrowReserve)).integer(borrowedAmountSf, U128);
      writer.integer(cumulativeBorrowRateBsf.value, U256);
    }
    return writer.take();
  }

  decode(bytes: Uint8Array): RecordedLoan {
    return new DecodedLoan(new RecordReader(bytes), this.#addresses);
  }

  /** The market, without decoding the rest. */
  marketOf(bytes: Uint8Array): Address {
    const reader = new RecordReader(bytes);
    for (let skipped = 0; skipped < BYTES_BEFORE_MARKET; skipped += 1) reader.byte();
    return this.#addresses.addressOf(reader.number());
  }
}

/** `isSeen`, the elevation group and the numbers of deposits and borrows. */
const BYTES_BEFORE_MARKET = 4;

/** Reads the owner, which takes longest, only if it is needed, and before the bytes change. */
class DecodedLoan implements RecordedLoan {
  readonly isSeen: boolean;
  readonly elevationGroup: number;
  readonly market: Address;
  readonly tag: bigint;
  readonly fields: Loan['fields'];
  readonly #readOwner: () => Address;

  constructor(reader: RecordReader, addresses: AddressNumbers) {
    this.isSeen = reader.byte() === 1;
    this.elevationGroup = reader.byte();
    const counts = [reader.byte(), reader.byte()] as const;
    this.market = addresses.addressOf(reader.number());
    this.tag = reader.integer(U64);
    this.#readOwner = reader.skipAddress();
    const deposits = Array.from({ length: counts[0] }, () => ({
      depositReserve: addresses.addressOf(reader.number()),
      depositedAmount: reader.integer(U64),
    }));
    const borrows = Array.from({ length: counts[1] }, () => ({
      borrowReserve: addresses.addressOf(reader.number()),
      borrowedAmountSf: sfFromBits(reader.integer(U128)),
      cumulativeBorrowRateBsf: { value: bsfFromBits(reader.integer(U256)) },
    }));
    this.fields = { deposits, borrows };
  }

  get owner(): Address {
    return this.#readOwner();
  }
}

export function toLoan(view: ObligationView): Loan {
  const deposits: Deposit[] = [];
  for (const { depositReserve, depositedAmount } of view.deposits) {
    if (depositReserve !== ZERO_ADDRESS) deposits.push({ depositReserve, depositedAmount });
  }
  const borrows: Borrow[] = [];
  for (const { borrowReserve, borrowedAmountSf, cumulativeBorrowRateBsf } of view.borrows) {
    if (borrowReserve === ZERO_ADDRESS) continue;
    const { value } = cumulativeBorrowRateBsf;
    borrows.push({ borrowReserve, borrowedAmountSf, cumulativeBorrowRateBsf: { value } });
  }
  const { owner, lendingMarket: market, tag, elevationGroup } = view;
  return { owner, market, tag, elevationGroup, fields: { deposits, borrows } };
}
