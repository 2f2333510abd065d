import { type Address, toLamports } from '@tidegate/core/base';
import {
  klendRejection,
  type LendingRules,
  ownerQueuedCollateralVault,
  withdrawTicketAddress,
} from '@tidegate/core/protocol/klend';
import {
  cancelWithdrawTicket,
  recoverInvalidTicketCollateral,
} from '@tidegate/core/protocol/klend/instructions';
import { type WithdrawTicket, withdrawTicket } from '@tidegate/core/protocol/klend/layout';
import {
  accrueReserveToSlot,
  cancelWithdrawal,
  requireNoReserveEmergency,
} from '@tidegate/core/protocol/klend/operations';
import {
  ASSOCIATED_TOKEN_PROGRAM,
  associatedTokenAddress,
  INSTRUCTIONS_SYSVAR,
  rentExemptLamports,
  SYSTEM_PROGRAM,
  TOKEN_PROGRAM,
} from '@tidegate/core/protocol/spl';
import { createAssociatedToken, systemTransfer } from '@tidegate/core/protocol/spl/instructions';
import { type TokenAccount, tokenAccount } from '@tidegate/core/protocol/spl/layout';
import { CodedError } from '../../errors/index.ts';
import type { InvokeContext } from '../../runtime/program.ts';
import { readAccount, writeAccount } from '../../runtime/typed-accounts.ts';
import {
  anchorFailure,
  anchorHandler,
  type InstructionHandler,
} from '../framework/anchor-program.ts';
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
  requireSupportedExtensions,
  requireTokenAccount,
  transferCollateral,
} from './token-accounts.ts';

/** Tickets of the withdraw queue that are not paid: cancelled, or recovered because they could not be paid. */
export const withdrawTicketHandlers = (rules: LendingRules): InstructionHandler[] => [
  anchorHandler(cancelWithdrawTicket, 35_000, ({ accounts, args }, call) => {
    handleCancellation({ call, rules }, accounts, args);
  }),
  anchorHandler(recoverInvalidTicketCollateral, 30_000, ({ accounts, args }, call) => {
    handleRecovery({ call, rules }, accounts, args.ticketSequenceNumber);
  }),
];

type Cancellation = {
  readonly ticketSequenceNumber: bigint;
  readonly collateralAmountToCancel: bigint;
};

function handleCancellation(
  lending: LendingCall,
  accounts: InstructionAccounts<typeof cancelWithdrawTicket.accounts>,
  { ticketSequenceNumber, collateralAmountToCancel: amount }: Cancellation,
): void {
  const { call } = lending;
  const { owner, withdrawTicket: address, userDestinationCollateral: destination } = accounts;
  const context = loadMarketContext(lending, accounts.lendingMarket);
  const before = readTicketReserve(call, accounts, owner);
  requireOwnerAccount(call, {
    slot: 'userDestinationCollateral',
    address: destination,
    mint: accounts.reserveCollateralMint,
    owner,
  });
  requireTicket(call, accounts, ticketSequenceNumber);
  const ticket = readAccount(call, withdrawTicket, address);
  requireCancellable(ticket, owner);
  const { reserve, collateral, remainingCollateral } = cancelWithdrawal(
    accrueReserveToSlot(before, context),
    context,
    { queued: ticket.queuedCollateralAmount, amount },
  );
  writeReserve(call, accounts.reserve, reserve);
  const fields = { ...ticket, queuedCollateralAmount: remainingCollateral };
  writeAccount(call, withdrawTicket, { address, fields });
  call.log(
    `pnl: Cancelling withdraw ticket and returning ${collateral} ctokens to owner, ${remainingCollateral} ctokens left in the ticket`,
  );
  transferCollateral(call, {
    source: accounts.ownerQueuedCollateralVault,
    destination,
    signer: { lendingMarketAuthority: accounts.lendingMarketAuthority },
    amount: collateral,
  });
}

function requireCancellable(ticket: WithdrawTicket, owner: Address): void {
  if (ticket.owner !== owner) {
    throw klendRejection('InvalidSigner', `the ticket belongs to ${ticket.owner}`);
  }
  if (ticket.invalid !== 0) throw klendRejection('WithdrawTicketInvalid', 'recover it instead');
  if (ticket.queuedCollateralAmount === 0n) {
    throw klendRejection('WithdrawTicketFullyCancelled', 'it has no cTokens');
  }
}

function handleRecovery(
  lending: LendingCall,
  accounts: InstructionAccounts<typeof recoverInvalidTicketCollateral.accounts>,
  sequenceNumber: bigint,
): void {
  const { call } = lending;
  const { payer, reserveCollateralMint: mint, withdrawTicket: address } = accounts;
  loadMarketContext(lending, accounts.lendingMarket);
  requireAddresses(call, accounts, { instructionSysvarAccount: INSTRUCTIONS_SYSVAR });
  requireTicket(call, accounts, sequenceNumber);
  const ticket = readAccount(call, withdrawTicket, address);
  const { owner } = ticket;
  const reserve = readTicketReserve(call, accounts, owner);
  const destination = accounts.userSourceCollateral;
  requireOwnerAccount(call, { slot: 'userSourceCollateral', address: destination, mint, owner });
  const own = { address: destination, owner, mint, tokenProgram: TOKEN_PROGRAM };
  if (payer !== owner && !isAssociated(own)) {
    throw klendRejection('InvalidSigner', 'only the owner can choose another account');
  }
  if (ticket.invalid === 0) {
    throw klendRejection('WithdrawTicketStillValid', 'it can still be paid or cancelled');
  }
  requireAddresses(call, accounts, { withdrawTicketOwner: owner });
  requireNoReserveEmergency(reserve);
  transferCollateral(call, {
    source: accounts.ownerQueuedCollateralVault,
    destination,
    signer: { lendingMarketAuthority: accounts.lendingMarketAuthority },
    amount: ticket.queuedCollateralAmount,
  });
  closeTicket(call, { address, owner });
}

type TicketAccounts = {
  readonly reserve: Address;
  readonly lendingMarket: Address;
  readonly lendingMarketAuthority: Address;
  readonly reserveCollateralMint: Address;
  readonly ownerQueuedCollateralVault: Address;
  readonly collateralTokenProgram: Address;
};

/** Checks the accounts of the queue and loads the reserve. */
function readTicketReserve(call: InvokeContext, accounts: TicketAccounts, owner: Address) {
  const { reserve, lendingMarket } = accounts;
  requirePrograms(call, accounts, { collateralTokenProgram: TOKEN_PROGRAM });
  requireMarketAuthority(call, lendingMarket, accounts.lendingMarketAuthority);
  const fields = readReserve(call, reserve, { market: lendingMarket });
  requireAddresses(call, accounts, { reserveCollateralMint: fields.collateral.mintPubkey });
  const vault = ownerQueuedCollateralVault(reserve, owner, call.program);
  if (accounts.ownerQueuedCollateralVault !== vault) {
    throw anchorFailure(call, 'ConstraintSeeds', 'ownerQueuedCollateralVault');
  }
  return fields;
}

type OwnerAccount = {
  readonly slot: string;
  readonly address: Address;
  readonly mint: Address;
  readonly owner: Address;
};

/** A token account of the owner that nobody else can spend from. */
function requireOwnerAccount(call: InvokeContext, account: OwnerAccount): void {
  requireTokenAccount(call, account);
  if (!isDelegated(tokenAccount.view(call.account(account.address)))) return;
  throw klendRejection('InvalidTokenAccountState', `${account.slot} has a delegate`);
}

export function requireTicket(
  call: InvokeContext,
  { reserve, withdrawTicket: address }: { readonly reserve: Address; withdrawTicket: Address },
  sequenceNumber: bigint,
): void {
  if (address === withdrawTicketAddress(reserve, sequenceNumber, call.program)) return;
  throw anchorFailure(call, 'ConstraintSeeds', 'withdrawTicket');
}

/** The lamports of a closed ticket go to its owner. */
export function closeTicket(
  call: InvokeContext,
  { address, owner }: { readonly address: Address; readonly owner: Address },
): void {
  const { lamports } = call.account(address);
  call.updateAccount(address, { lamports: 0n, data: new Uint8Array(), owner: SYSTEM_PROGRAM });
  call.updateAccount(owner, { lamports: call.account(owner).lamports + lamports });
}

type TicketDestination = {
  readonly address: Address;
  readonly owner: Address;
  readonly mint: Address;
  readonly tokenProgram: Address;
};

const FROZEN = 2;

/** The program prepays the rent of an associated account of at most this size. */
const MAX_ACCOUNT_SIZE = 1_000;

/**
 * Whether a ticket can be paid to its destination. `missing`: the owner's associated account was closed, and the payment
 * creates it again. `invalid`: the account is gone, or belongs to another owner or token, or is delegated or frozen.
 */
export function ticketDestinationStatus(
  call: InvokeContext,
  destination: TicketDestination,
): 'valid' | 'missing' | 'invalid' {
  const { address, owner, mint, tokenProgram } = destination;
  const account = call.account(address);
  if (account.owner !== SYSTEM_PROGRAM && account.owner !== tokenProgram) return 'invalid';
  if (account.data.length === 0) return isAssociated(destination) ? 'missing' : 'invalid';
  if (account.owner === SYSTEM_PROGRAM) return 'invalid';
  const fields = decodedOrUndefined(() => tokenAccount.decode(account));
  if (fields === undefined || fields.owner !== owner || fields.mint !== mint) return 'invalid';
  if (isDelegated(fields) || fields.state === FROZEN) return 'invalid';
  const isSupported = decodedOrUndefined(() => {
    requireSupportedExtensions(call, { mint, account: address });
    return true;
  });
  return isSupported === true ? 'valid' : 'invalid';
}

const isDelegated = ({ delegateTag }: Pick<TokenAccount, 'delegateTag'>): boolean =>
  delegateTag !== 0;

export const isAssociated = ({ address, owner, mint, tokenProgram }: TicketDestination): boolean =>
  address === associatedTokenAddress(owner, mint, tokenProgram);

/** The ticket keeps enough lamports to create the associated account of its owner when it is paid. */
export function prepayDestinationRent(
  call: InvokeContext,
  { owner, ticket }: { readonly owner: Address; readonly ticket: Address },
): void {
  const accounts = { from: owner, to: ticket };
  const args = { lamports: toLamports(rentExemptLamports(MAX_ACCOUNT_SIZE)) };
  call.invoke(systemTransfer.build(SYSTEM_PROGRAM, { accounts, args }));
}

/** Creates the associated account of a ticket's owner. The ticket refunds the rent to the payer. */
export function createDestination(
  call: InvokeContext,
  { address, owner, mint, tokenProgram }: TicketDestination,
  { payer, ticket }: { readonly payer: Address; readonly ticket: Address },
): void {
  const systemProgram = SYSTEM_PROGRAM;
  const accounts = { payer, ata: address, owner, mint, systemProgram, tokenProgram };
  call.invoke(createAssociatedToken.build(ASSOCIATED_TOKEN_PROGRAM, { accounts, args: {} }));
  const rent = rentExemptLamports(call.account(address).data.length);
  call.updateAccount(ticket, { lamports: call.account(ticket).lamports - rent });
  call.updateAccount(payer, { lamports: call.account(payer).lamports + rent });
}

function decodedOrUndefined<Value>(decode: () => Value): Value | undefined {
  try {
    return decode();
  } catch (error) {
    if (error instanceof CodedError) return undefined;
    throw error;
  }
}
