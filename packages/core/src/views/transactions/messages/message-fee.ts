import {
  type TransactionFee,
  transactionFee,
} from '../../../protocol/spl/transaction/transaction-fee.ts';
import type { LoadedMessage } from './loaded-message.ts';
import type { DecodedMessageInstruction } from './message-instructions.ts';

/** What running a transaction costs, in lamports. */
export type MessageFee = TransactionFee;

export function messageFee(
  { message }: LoadedMessage,
  calls: readonly DecodedMessageInstruction[],
): MessageFee {
  return transactionFee({
    signatures: message.header.numRequiredSignatures,
    instructions: calls.filter(({ programName }) => programName !== 'computeBudget').length,
    unitLimit: askedFor(calls, 'setComputeUnitLimit', 'units'),
    unitPrice: askedFor(calls, 'setComputeUnitPrice', 'microLamports'),
  });
}

function askedFor(
  calls: readonly DecodedMessageInstruction[],
  name: string,
  argument: string,
): bigint | undefined {
  const call = calls.find((each) => each.programName === 'computeBudget' && each.name === name);
  const value = call?.told?.args[argument];
  return typeof value === 'bigint' || typeof value === 'number' ? BigInt(value) : undefined;
}
