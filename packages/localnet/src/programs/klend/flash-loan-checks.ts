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

/** A flash loan must be a top-level instruction, followed by exactly one repayment. */
export function requireFlashBorrow(call: InvokeContext, amount: bigint): void {
  if (call.stackHeight > 1)
    throw klendRejection('FlashBorrowCpi', 'Flash Borrow was called via CPI!');
  let isRepaid = false;
  for (const instruction of call.instructions.slice(call.index + 1)) {
    if (instruction.programAddress !== call.program) continue;
    if (isFlashBorrow(instruction) || (isFlashRepay(instruction) && isRepaid)) {
      throw klendRejection('MultipleFlashBorrows', 'there is another loan or repayment');
    }
    if (!isFlashRepay(instruction)) continue;
    requireMatch(call, instruction, amount);
    isRepaid = true;
  }
  if (!isRepaid) throw klendRejection('NoFlashRepayFound', 'No flash repay found');
}

/** The repayment must have the same amount and accounts and refer to this instruction. */
function requireMatch(call: InvokeContext, repayment: Instruction, amount: bigint): void {
  const repayCall = toRawInstruction(repayment);
  const { args } = decodeOrReject(() => flashRepayReserveLiquidity.decode(call.program, repayCall));
  const isSame =
    args.liquidityAmount === amount &&
    args.borrowInstructionIndex === call.index &&
    repayCall.accounts.length === call.metas.length &&
    call.metas.every(({ address }, i) => address === repayCall.accounts[i]);
  if (!isSame) throw mismatch('the repayment is of another loan');
}

export type FlashRepayment = {
  readonly reserve: Address;
  readonly amount: bigint;
  /** Index of the borrow instruction. */
  readonly borrowIndex: number;
};

/** A repayment must come after the loan that it refers to. */
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
  const { accounts, args } = decodeOrReject(() =>
    flashBorrowReserveLiquidity.decode(call.program, toRawInstruction(borrow)),
  );
  if (accounts.reserve !== reserve) throw mismatch('the loan is of another reserve');
  if (args.liquidityAmount !== amount) throw mismatch('the loan is of another amount');
}

const mismatch = (reason: string) => klendRejection('InvalidFlashRepay', reason);

const hasDiscriminator = ({ data }: Instruction, discriminator: Uint8Array): boolean =>
  bytesEqual(data.subarray(0, discriminator.length), discriminator);

const isFlashBorrow = (instruction: Instruction): boolean =>
  hasDiscriminator(instruction, flashBorrowReserveLiquidity.discriminator);

const isFlashRepay = (instruction: Instruction): boolean =>
  hasDiscriminator(instruction, flashRepayReserveLiquidity.discriminator);

const toRawInstruction = ({ data, accounts }: Instruction): RawInstruction => ({
  data,
  accounts: accounts.map(({ address }) => address),
});

/** An instruction that cannot be decoded matches nothing. */
function decodeOrReject<Decoded>(decode: () => Decoded): Decoded {
  try {
    return decode();
  } catch (error) {
    throw hasCode(error, 'MALFORMED_DATA') ? mismatch('it cannot be read') : error;
  }
}
