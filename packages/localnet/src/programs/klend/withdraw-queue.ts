import { type Address, ZERO_ADDRESS } from '@tidegate/core/base';
import {
  klendRejection,
  type LendingRules,
  ownerQueuedCollateralVault,
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
  type QueuePayment,
  requirePayableTickets,
  skipWithdrawTicket,
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
import {
  burnCollateral,
  requireMintProgram,
  requireTokenAccount,
  transferCollateral,
  transferLiquidity,
} from './token-accounts.ts';
import {
  closeTicket,
  createDestination,
  isAssociated,
  prepayDestinationRent,
  requireTicket,
  ticketDestinationStatus,
  withdrawTicketHandlers,
} from './withdraw-tickets.ts';

/**
 * The withdraw queue, by the program's source: no recording has it. Not modelled: callbacks, which only a vault program can
 * ask for and the deployed one does not.
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
  ...withdrawTicketHandlers(rules),
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
  const { tokenProgram } = reserve.liquidity;
  if (isAssociated({ address: destination, owner, mint: liquidityMint, tokenProgram })) {
    prepayDestinationRent(call, { owner, ticket: accounts.withdrawTicket });
  }
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
  if (ticket.invalid !== 0) throw klendRejection('WithdrawTicketInvalid', 'it cannot be paid');
  requirePayableTickets(before, context);
  if (ticket.queuedCollateralAmount === 0n) {
    passCancelledTicket(call, accounts, before);
    return;
  }
  const address = accounts.userDestinationLiquidity;
  const destination = { address, owner: ticket.owner, mint, tokenProgram };
  const status = ticketDestinationStatus(call, destination);
  if (status === 'invalid') {
    markInvalid(call, accounts, { ticket, reserve: before });
    return;
  }
  if (status === 'missing') {
    createDestination(call, destination, { ...accounts, ticket: accounts.withdrawTicket });
  }
  const payment = payWithdrawTicket(
    accrueReserveToSlot(before, context),
    context,
    ticket.queuedCollateralAmount,
  );
  writeReserve(call, accounts.reserve, payment.reserve);
  payOut(call, accounts, payment);
  const isPaid = updateTicket(call, accounts, { ticket, paid: payment.collateral });
  if (!isPaid && status === 'missing') {
    throw klendRejection('WithdrawTicketRequiresFullRedemption', 'its rent paid for the account');
  }
}

/** Takes a cancelled ticket off the queue and closes it. The reserve is not refreshed. */
function passCancelledTicket(
  call: InvokeContext,
  { reserve: address, withdrawTicket: ticket, withdrawTicketOwner: owner }: PaymentAccounts,
  reserve: Reserve,
): void {
  call.log('Progressing over a cancelled ticket; closing the ticket account');
  writeReserve(call, address, skipWithdrawTicket(reserve, 0n));
  closeTicket(call, { address: ticket, owner });
}

/** Passes over a ticket whose destination cannot receive the tokens. */
function markInvalid(
  call: InvokeContext,
  { reserve: address, withdrawTicket: ticketAddress }: PaymentAccounts,
  { ticket, reserve }: { readonly ticket: WithdrawTicket; readonly reserve: Reserve },
): void {
  const skipped = skipWithdrawTicket(reserve, ticket.queuedCollateralAmount);
  writeReserve(call, address, skipped);
  const fields = { ...ticket, invalid: 1 };
  writeAccount(call, withdrawTicket, { address: ticketAddress, fields });
}

function payOut(
  call: InvokeContext,
  accounts: PaymentAccounts,
  { liquidity, collateral }: QueuePayment,
): void {
  const signer = { lendingMarketAuthority: accounts.lendingMarketAuthority };
  burnCollateral(call, {
    mint: accounts.reserveCollateralMint,
    account: accounts.ownerQueuedCollateralVault,
    signer,
    amount: collateral,
  });
  transferLiquidity(call, {
    mint: accounts.reserveLiquidityMint,
    tokenProgram: accounts.liquidityTokenProgram,
    source: accounts.reserveLiquiditySupply,
    destination: accounts.userDestinationLiquidity,
    signer,
    amount: liquidity,
  });
}

/** A ticket that is paid in part stays the first one; a paid one is closed. Returns whether it is. */
function updateTicket(
  call: InvokeContext,
  { withdrawTicket: address, withdrawTicketOwner: owner }: PaymentAccounts,
  { ticket, paid }: { readonly ticket: WithdrawTicket; readonly paid: bigint },
): boolean {
  const queuedCollateralAmount = ticket.queuedCollateralAmount - paid;
  if (queuedCollateralAmount > 0n) {
    writeAccount(call, withdrawTicket, { address, fields: { ...ticket, queuedCollateralAmount } });
    return false;
  }
  closeTicket(call, { address, owner });
  return true;
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
