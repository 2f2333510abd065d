import {
  type Address,
  bytesEqual,
  type Instruction,
  type RawInstruction,
  sfFromInt,
} from '@tidegate/core/base';
import { klendRejection, type LendingRules } from '@tidegate/core/protocol/klend';
import {
  flashBorrowReserveLiquidity,
  flashRepayReserveLiquidity,
} from '@tidegate/core/protocol/klend/instructions';
import type { Reserve } from '@tidegate/core/protocol/klend/layout';
import {
  flashBorrow,
  flashRepay,
  type LendingContext,
  requireFlashLoans,
  requireNoReserveEmergency,
} from '@tidegate/core/protocol/klend/operations';
import { INSTRUCTIONS_SYSVAR } from '@tidegate/core/protocol/spl';
import { hasCode } from '../../errors/index.ts';
import type { InvokeContext } from '../../runtime/program.ts';
import { anchorHandler, type InstructionHandler } from '../framework/anchor-program.ts';
import { creditReferrer, readReferrerState } from './fees.ts';
import {
  type InstructionAccounts,
  type LendingCall,
  loadMarketContext,
  readReserve,
  requireAddresses,
  requireMarketAuthority,
  requireNotReserveVault,
} from './lending-constraints.ts';
import { writeReserve } from './position-accounts.ts';
import {
  requireMintProgram,
  requireSupportedExtensions,
  requireTokenAccount,
  transferLiquidity,
} from './token-accounts.ts';

type RepayAccounts = InstructionAccounts<typeof flashRepayReserveLiquidity.accounts>;

/** Loans that are repaid within the transaction. */
export const flashLoanHandlers = (rules: LendingRules): InstructionHandler[] => [
  anchorHandler(flashBorrowReserveLiquidity, 43_000, ({ accounts, args }, call) => {
    handleBorrow({ call, rules }, accounts, args.liquidityAmount);
  }),
  anchorHandler(flashRepayReserveLiquidity, 25_200, ({ accounts, args }, call) => {
    const { reserve } = accounts;
    const { liquidityAmount: amount, borrowInstructionIndex: borrowIndex } = args;
    const context = loadMarketContext({ call, rules }, accounts.lendingMarket);
    const before = readLendingReserve({ call }, accounts);
    const source = accounts.userSourceLiquidity;
    requireAddresses(call, accounts, { reserveDestinationLiquidity: before.liquidity.supplyVault });
    requireTokenAccount(call, { slot: 'userSourceLiquidity', address: source });
    requireNoReserveEmergency(before);
    requireNotReserveVault(source, before.liquidity.supplyVault);
    requireFlashRepay(call, { reserve, amount, borrowIndex });
    handleRepay({ call, context }, accounts, { before, amount });
  }),
];

function handleBorrow(
  lending: LendingCall,
  accounts: InstructionAccounts<typeof flashBorrowReserveLiquidity.accounts>,
  amount: bigint,
): void {
  const { call } = lending;
  const { reserve, lendingMarketAuthority, reserveLiquidityMint: mint, tokenProgram } = accounts;
  const destination = accounts.userDestinationLiquidity;
  const context = loadMarketContext(lending, accounts.lendingMarket);
  const before = readLendingReserve(lending, accounts);
  const source = before.liquidity.supplyVault;
  requireAddresses(call, accounts, { reserveSourceLiquidity: source });
  requireTokenAccount(call, { slot: 'userDestinationLiquidity', address: destination });
  requireNotReserveVault(destination, source);
  requireFlashLoans(before, context);
  requireSupportedExtensions(call, { mint, account: destination });
  requireFlashBorrow(call, amount);
  const after = flashBorrow(before, context, amount);
  writeReserve(call, reserve, after);
  const signer = { lendingMarketAuthority };
  transferLiquidity(call, { mint, tokenProgram, source, destination, signer, amount });
}

/** The loan and the referrer's fee go to the reserve, the protocol fee to its vault. */
function handleRepay(
  { call, context }: { readonly call: InvokeContext; readonly context: LendingContext },
  accounts: RepayAccounts,
  { before, amount }: { readonly before: Reserve; readonly amount: bigint },
): void {
  const state = referrerState(call, accounts);
  const { reserve, fees } = flashRepay(before, context, {
    amount,
    hasReferrer: state !== undefined,
  });
  if (state !== undefined) creditReferrer(call, state, sfFromInt(fees.referrer));
  writeReserve(call, accounts.reserve, reserve);
  const transfer = {
    mint: accounts.reserveLiquidityMint,
    tokenProgram: accounts.tokenProgram,
    source: accounts.userSourceLiquidity,
    signer: { wallet: accounts.userTransferAuthority },
  };
  const reserveVault = accounts.reserveDestinationLiquidity;
  transferLiquidity(call, {
    ...transfer,
    destination: reserveVault,
    amount: amount + fees.referrer,
  });
  if (fees.protocol === 0n) return;
  const feeVault = accounts.reserveLiquidityFeeReceiver;
  transferLiquidity(call, { ...transfer, destination: feeVault, amount: fees.protocol });
}

/** Without both the referrer and its token state, the loan has no referrer. */
function referrerState(call: InvokeContext, accounts: RepayAccounts): Address | undefined {
  const { referrerAccount: referrer, referrerTokenState, reserve } = accounts;
  if (referrer === undefined) return undefined;
  if (referrerTokenState === undefined) {
    call.log('No referrer account provided');
    return undefined;
  }
  const mint = accounts.reserveLiquidityMint;
  readReferrerState(call, referrerTokenState, { referrer, reserve, mint });
  return referrerTokenState;
}

type LoanAccounts = {
  readonly lendingMarket: Address;
  readonly lendingMarketAuthority: Address;
  readonly reserve: Address;
  readonly reserveLiquidityMint: Address;
  readonly reserveLiquidityFeeReceiver: Address;
  readonly sysvarInfo: Address;
  readonly tokenProgram: Address;
};

function readLendingReserve(
  { call }: { readonly call: InvokeContext },
  accounts: LoanAccounts,
): Reserve {
  const { lendingMarket: market, reserveLiquidityMint: mint } = accounts;
  requireMarketAuthority(call, market, accounts.lendingMarketAuthority);
  const reserve = readReserve(call, accounts.reserve, { market });
  requireAddresses(call, accounts, {
    reserveLiquidityMint: reserve.liquidity.mintPubkey,
    reserveLiquidityFeeReceiver: reserve.liquidity.feeVault,
    sysvarInfo: INSTRUCTIONS_SYSVAR,
  });
  requireMintProgram(call, mint, accounts.tokenProgram);
  return reserve;
}

/** A flash loan must be a top-level instruction, followed by exactly one repayment. */
function requireFlashBorrow(call: InvokeContext, amount: bigint): void {
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

type FlashRepayment = {
  readonly reserve: Address;
  readonly amount: bigint;
  /** Index of the borrow instruction. */
  readonly borrowIndex: number;
};

/** A repayment must come after the loan that it refers to. */
function requireFlashRepay(call: InvokeContext, repayment: FlashRepayment): void {
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
