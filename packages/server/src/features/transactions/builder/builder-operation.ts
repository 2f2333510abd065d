import type { TSchema } from 'typebox';
import { defineOperation, type Operation } from '../../../http/operation.ts';
import { BuilderQuery, InstructionBundle, UnsignedTransaction } from './builder-schemas.ts';

type Described = {
  /** As the operations are called. */
  readonly name: string;
  /** What a wallet does with it. */
  readonly does: string;
  readonly more: string;
};

/** An answer is for one wallet at one time. */
const shared = {
  tag: 'builders',
  weight: 5,
  statuses: [400],
  headers: ['cache-control', 'no-store'],
} as const;

/** The two operations that every builder is served as. */
export function describeBuilderOperations({ name, does, more }: Described): {
  readonly transaction: Operation;
  readonly instructions: Operation;
} {
  return {
    transaction: {
      ...shared,
      operationId: `build${name}Tx`,
      summary: `Unsigned transaction to ${does}`,
      description: `${more} Version 0, with a recent blockhash; nothing is signed or sent. One that is larger than 1232 bytes is refused as TRANSACTION_SIZE_ERROR.`,
    },
    instructions: {
      ...shared,
      operationId: `build${name}Ixs`,
      summary: `Instructions to ${does}`,
      description: `${more} The same as in the transaction, with the lookup tables that make it smaller, to be put together with others.`,
    },
  };
}

/** Large schemas that many routes share: compiling a serializer for each would double the start of the server. */
const serializerCompiler = () => JSON.stringify;

export const defineTransactionOperation = <Body extends TSchema>(facts: Operation, body: Body) => ({
  ...defineOperation(facts, { querystring: BuilderQuery, body, answer: UnsignedTransaction }),
  serializerCompiler,
});

export const defineInstructionsOperation = <Body extends TSchema>(
  facts: Operation,
  body: Body,
) => ({
  ...defineOperation(facts, { querystring: BuilderQuery, body, answer: InstructionBundle }),
  serializerCompiler,
});
