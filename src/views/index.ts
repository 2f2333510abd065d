/** The library entry `tidegate/views`: what people ask for, made from several programs at once. Pure, no I/O. */

export type { ProgramName } from './programs.ts';
export * from './transaction.ts';
export type { TransactionFailure } from './transaction-failure.ts';
