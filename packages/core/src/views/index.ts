/** The library entry `@tidegate/core/views`: views that combine several programs. Pure, no I/O. */

export type { ProgramName } from './transactions/known-programs.ts';
export type { TransactionFailure } from './transactions/transaction-failure.ts';
export * from './transactions/transaction-view.ts';
