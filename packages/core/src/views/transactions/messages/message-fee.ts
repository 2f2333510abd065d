import {
  type TransactionFee,
  transactionFee,
} from '../../../protocol/spl/transaction/transaction-fee.ts';
import type { LoadedMessage } from './loaded-message.ts';
import type { DecodedMessageInstruction } from './message-instructions.ts';

/** The fee of a transaction, in lamports. */
export type MessageFee = TransactionFee;

export function messageFee(
  { message }: LoadedMessage,
  calls: readonly DecodedMessageInstruction[],
): MessageFee {
  return transactionFee({
    signatures: message.header.numRequiredSignatures,
    instructions: calls.filter(({ programName }) => programName !== 'computeBudget').length,
    unitLimit: computeBudgetArgument(calls, 'setComputeUnitLimit', 'units'),
    unitPrice: computeBudgetArgument(calls, 'setComputeUnitPrice', 'microLamports'),
  });
}

function computeBudgetArgument(
  calls: readonly DecodedMessageInstruction[],
  name: string,
  argument: string,
): bigint | undefined {
  const call = calls.find((each) => each.programName === 'computeBudget' && each.name === name);
  const value = call?.described?.args[argument];
  return typeof value === 'bigint' || typeof value === 'number' ? BigInt(value) : undefined;
}
