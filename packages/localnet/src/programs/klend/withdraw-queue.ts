import { type Address, ZERO_ADDRESS } from '@tidegate/core/base';
import {
  klendRejection,
  type LendingRules,
  ownerQueuedCollateralVault,
  withdrawTicketAddress,
} from '@tidegate/core/protocol/klend';
import {
  enqueueToWithdraw,
  withdrawQueuedLiquidity,
} from '@tidegate/core/protocol/klend/instructions';
import {
  type Reserve,
  type WithdrawTicket,
  withdrawTicket,
} from '@tidegate/core/protocol/klend/layout';
import {
  accrueReserveToSlot,
  enqueueWithdrawal,
  payWithdrawTicket,
} from '@tidegate/core/protocol/klend/operations';
import { INSTRUCTIONS_SYSVAR, SYSTEM_PROGRAM, TOKEN_PROGRAM } from '@tidegate/core/protocol/spl';
import { initializeAccount3 } from '@tidegate/core/protocol/spl/instructions';
import { tokenAccount } from '@tidegate/core/protocol/spl/layout';
import type { InvokeContext } from '../../runtime/program.ts';
import { readAccount, writeAccount } from '../../runtime/typed-accounts.ts';
import {
  anchorFailure,
  anchorHandler,
  type InstructionHandler,
} from '../framework/anchor-program.ts';
import { createPdaAccount } from '../framework/create-pda-account.ts';
import { createFundedAccount } from '../framework/fund-account.ts';
import {
  type InstructionAccounts,
  type LendingCall,
  loadMarketContext,
  readReserve,
  requireAddresses,
  requireMarketAuthority,
  requirePrograms,
} from './lending-constraints.ts';
import { writeReserve } from './position-accounts.ts';
import { burnCollateral, transferCollateral, transferLiquidity } from './reserve-transfers.ts';
import { requireMintProgram, requireTokenAccount } from './user-token-accounts.ts';

/**
 * The withdraw queue, by the documentation of the program's interface: no recording has it. Not
 * modelled: callbacks, which only a vault program can ask for and the deployed one does not;
 * tickets whose destination account is gone; cancelling.
 */
export const withdrawQueueHandlers = (rules: LendingRules): InstructionHandler[] => [
  anchorHandler(enqueueToWithdraw, 40_000, ({ accounts, args }, call) => {
    if (args.progressCallbackType !== 0) {
      const reason = 'only a vault can ask for a callback';
      throw klendRejection('InvalidWithdrawTicketProgressCallbackConfig', reason);
    }
    handleEnqueue({ call, rules }, accounts, args.collateralAmount);
  }),
  anchorHandler(withdrawQueuedLiquidity, 45_000, ({ accounts }, call) => {
    handlePayment({ call, rules }, accounts);
  }),
];

type EnqueueAccounts = InstructionAccounts<typeof enqueueToWithdraw.accounts>;
type PaymentAccounts = InstructionAccounts<typeof withdrawQueuedLiquidity.accounts>;

function handleEnqueue(
  lending: LendingCall,
  accounts: EnqueueAccounts,
  collateralAmount: bigint,
): void {
  const { call } = lending;
  const context = loadMarketContext(lending, accounts.lendingMarket);
  const before = readCheckedReserve(call, accounts);
  const { owner, userSourceCollateralTa: source, ownerQueuedCollateralVault: vault } = accounts;
  const destination = accounts.userDestinationLiquidityTa;
  const [collateralMint, liquidityMint] = [
    accounts.reserveCollateralMint,
    accounts.reserveLiquidityMint,
  ];
  requireTokenAccount(call, {
    slot: 'userSourceCollateralTa',
    address: source,
    mint: collateralMint,
  });
  requireTokenAccount(call, {
    slot: 'userDestinationLiquidityTa',
    address: destination,
    mint: liquidityMint,
  });
  const accrued = accrueReserveToSlot(before, context);
  const { reserve, sequenceNumber } = enqueueWithdrawal(accrued, context, collateralAmount);
  requireTicket(call, accounts, sequenceNumber);
  createQueuedCollateralVault(call, accounts);
  createPdaAccount(call, {
    address: accounts.withdrawTicket,
    payer: owner,
    size: withdrawTicket.size,
  });
  writeReserve(call, accounts.reserve, reserve);
  const fields: WithdrawTicket = {
    sequenceNumber,
    owner,
    reserve: accounts.reserve,
    userDestinationLiquidityTa: destination,
    queuedCollateralAmount: collateralAmount,
    createdAtTimestamp: call.time.unix,
    invalid: 0,
    progressCallbackType: 0,
    alignmentPadding: new Uint8Array(6),
    progressCallbackCustomAccounts: [ZERO_ADDRESS, ZERO_ADDRESS],
    endPadding: new Uint8Array(320),
  };
  writeAccount(call, withdrawTicket, { address: accounts.withdrawTicket, fields });
  transferCollateral(call, {
    source,
    destination: vault,
    signer: { wallet: owner },
    amount: collateralAmount,
  });
}

/** Created with the first ticket of an owner. */
function createQueuedCollateralVault(call: InvokeContext, accounts: EnqueueAccounts): void {
  const { owner, reserve, ownerQueuedCollateralVault: account } = accounts;
  if (account !== ownerQueuedCollateralVault(reserve, owner, call.program)) {
    throw anchorFailure(call, 'ConstraintSeeds', 'ownerQueuedCollateralVault');
  }
  if (call.account(account).owner !== SYSTEM_PROGRAM) return;
  const { size } = tokenAccount;
  createFundedAccount(call, { payer: owner, account, size, owner: TOKEN_PROGRAM });
  const args = { owner: accounts.lendingMarketAuthority };
  const opened = { accounts: { account, mint: accounts.reserveCollateralMint }, args };
  call.invoke(initializeAccount3.build(TOKEN_PROGRAM, opened));
}

function handlePayment(lending: LendingCall, accounts: PaymentAccounts): void {
  const { call } = lending;
  const context = loadMarketContext(lending, accounts.lendingMarket);
  const before = readCheckedReserve(call, accounts);
  const { nextWithdrawableTicketSequenceNumber: first } = before.withdrawQueue;
  requireTicket(call, accounts, first);
  const ticket = readAccount(call, withdrawTicket, accounts.withdrawTicket);
  requireAddresses(call, accounts, {
    reserveLiquiditySupply: before.liquidity.supplyVault,
    withdrawTicketOwner: ticket.owner,
    userDestinationLiquidity: ticket.userDestinationLiquidityTa,
    ownerQueuedCollateralVault: ownerQueuedCollateralVault(
      accounts.reserve,
      ticket.owner,
      call.program,
    ),
  });
  const { reserveLiquidityMint: mint, liquidityTokenProgram: tokenProgram } = accounts;
  requireMintProgram(call, mint, tokenProgram);
  const { reserve, liquidity, collateral } = payWithdrawTicket(
    accrueReserveToSlot(before, context),
    context,
    ticket.queuedCollateralAmount,
  );
  writeReserve(call, accounts.reserve, reserve);
  const signer = { lendingMarketAuthority: accounts.lendingMarketAuthority };
  burnCollateral(call, {
    mint: accounts.reserveCollateralMint,
    account: accounts.ownerQueuedCollateralVault,
    signer,
    amount: collateral,
  });
  transferLiquidity(call, {
    mint,
    tokenProgram,
    source: accounts.reserveLiquiditySupply,
    destination: accounts.userDestinationLiquidity,
    signer,
    amount: liquidity,
  });
  updateTicket(call, accounts, { ticket, paid: collateral });
}

/** A ticket that is paid in part stays the first one; a paid one is closed. */
function updateTicket(
  call: InvokeContext,
  { withdrawTicket: address, withdrawTicketOwner: owner }: PaymentAccounts,
  { ticket, paid }: { readonly ticket: WithdrawTicket; readonly paid: bigint },
): void {
  const queuedCollateralAmount = ticket.queuedCollateralAmount - paid;
  if (queuedCollateralAmount > 0n) {
    writeAccount(call, withdrawTicket, { address, fields: { ...ticket, queuedCollateralAmount } });
    return;
  }
  const { lamports } = call.account(address);
  call.updateAccount(address, { lamports: 0n, data: new Uint8Array(), owner: SYSTEM_PROGRAM });
  call.updateAccount(owner, { lamports: call.account(owner).lamports + lamports });
}

type QueueAccounts = {
  readonly reserve: Address;
  readonly lendingMarket: Address;
  readonly lendingMarketAuthority: Address;
  readonly reserveLiquidityMint: Address;
  readonly reserveCollateralMint: Address;
  readonly collateralTokenProgram: Address;
  readonly systemProgram: Address;
  readonly instructionSysvarAccount: Address;
};

function readCheckedReserve(call: InvokeContext, accounts: QueueAccounts): Reserve {
  const { reserve, lendingMarket } = accounts;
  requirePrograms(call, accounts, {
    collateralTokenProgram: TOKEN_PROGRAM,
    systemProgram: SYSTEM_PROGRAM,
  });
  const fields = readReserve(call, reserve, { market: lendingMarket });
  requireMarketAuthority(call, lendingMarket, accounts.lendingMarketAuthority);
  requireAddresses(call, accounts, {
    reserveLiquidityMint: fields.liquidity.mintPubkey,
    reserveCollateralMint: fields.collateral.mintPubkey,
    instructionSysvarAccount: INSTRUCTIONS_SYSVAR,
  });
  return fields;
}

function requireTicket(
  call: InvokeContext,
  { reserve, withdrawTicket: address }: { readonly reserve: Address; withdrawTicket: Address },
  sequenceNumber: bigint,
): void {
  if (address === withdrawTicketAddress(reserve, sequenceNumber, call.program)) return;
  throw anchorFailure(call, 'ConstraintSeeds', 'withdrawTicket');
}
