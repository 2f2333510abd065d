import { type Address, CodedError, toLamports } from '@tidegate/core/base';
import {
  ASSOCIATED_TOKEN_PROGRAM,
  associatedTokenAddress,
  rentExemptLamports,
  SYSTEM_PROGRAM,
} from '@tidegate/core/protocol/spl';
import { createAssociatedToken, systemTransfer } from '@tidegate/core/protocol/spl/instructions';
import { type TokenAccount, tokenAccount } from '@tidegate/core/protocol/spl/layout';
import type { InvokeContext } from '../../runtime/program.ts';
import { requireSupportedExtensions } from './user-token-accounts.ts';

export type TicketDestination = {
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

export const isDelegated = ({ delegateTag }: Pick<TokenAccount, 'delegateTag'>): boolean =>
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
