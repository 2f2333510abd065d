import {
  type Address,
  bytesEqual,
  hasCode,
  type Instruction,
  type RawInstruction,
} from '@tidegate/core/base';
import { klendRejection } from '@tidegate/core/protocol/klend';
import {
  flashBorrowReserveLiquidity,
  flashRepayReserveLiquidity,
} from '@tidegate/core/protocol/klend/instructions';
import type { InvokeContext } from '../../runtime/program.ts';

/** A loan is taken by the transaction itself, and exactly one repayment of it comes later. */
export function requireFlashBorrow(call: InvokeContext, amount: bigint): void {
  if (call.stackHeight > 1)
    throw klendRejection('FlashBorrowCpi', 'Flash Borrow was called via CPI!');
  let isRepaid = false;
  for (const each of call.instructions.slice(call.index + 1)) {
    if (each.programAddress !== call.program) continue;
    if (isFlashBorrow(each) || (isFlashRepay(each) && isRepaid)) {
      throw klendRejection('MultipleFlashBorrows', 'there is another loan or repayment');
    }
    if (!isFlashRepay(each)) continue;
    requireMatch(call, each, amount);
    isRepaid = true;
  }
  if (!isRepaid) throw klendRejection('NoFlashRepayFound', 'No flash repay found');
}

/** The same amount and accounts, and a reference back to this place. */
function requireMatch(call: InvokeContext, repayment: Instruction, amount: bigint): void {
  const found = foundCall(repayment);
  const { args } = decoded(() => flashRepayReserveLiquidity.decode(call.program, found));
  const isSame =
    args.liquidityAmount === amount &&
    args.borrowInstructionIndex === call.index &&
    found.accounts.length === call.metas.length &&
    call.metas.every(({ address }, i) => address === found.accounts[i]);
  if (!isSame) throw mismatch('the repayment is of another loan');
}

export type FlashRepayment = {
  readonly reserve: Address;
  readonly amount: bigint;
  /** Of the instruction that took the loan. */
  readonly borrowIndex: number;
};

/** A repayment comes behind the loan that it names. */
export function requireFlashRepay(call: InvokeContext, repayment: FlashRepayment): void {
  const { reserve, amount, borrowIndex } = repayment;
  if (call.stackHeight > 1)
    throw klendRejection('FlashRepayCpi', 'Flash Repay was called via CPI!');
  const borrow = call.instructions[borrowIndex];
  if (borrow === undefined || borrowIndex > call.index) {
    throw mismatch('the loan does not come before it');
  }
  if (borrow.programAddress !== call.program || !isFlashBorrow(borrow)) {
    throw mismatch(`instruction ${borrowIndex} takes no loan`);
  }
  const { accounts, args } = decoded(() =>
    flashBorrowReserveLiquidity.decode(call.program, foundCall(borrow)),
  );
  if (accounts.reserve !== reserve) throw mismatch('the loan is of another reserve');
  if (args.liquidityAmount !== amount) throw mismatch('the loan is of another amount');
}

const mismatch = (reason: string) => klendRejection('InvalidFlashRepay', reason);

const startsLike = ({ data }: Instruction, discriminator: Uint8Array): boolean =>
  bytesEqual(data.subarray(0, discriminator.length), discriminator);

const isFlashBorrow = (each: Instruction): boolean =>
  startsLike(each, flashBorrowReserveLiquidity.discriminator);

const isFlashRepay = (each: Instruction): boolean =>
  startsLike(each, flashRepayReserveLiquidity.discriminator);

const foundCall = ({ data, accounts }: Instruction): RawInstruction => ({
  data,
  accounts: accounts.map(({ address }) => address),
});

/** An instruction that cannot be read matches nothing. */
function decoded<Found>(decode: () => Found): Found {
  try {
    return decode();
  } catch (error) {
    throw hasCode(error, 'MALFORMED_DATA') ? mismatch('it cannot be read') : error;
  }
}
