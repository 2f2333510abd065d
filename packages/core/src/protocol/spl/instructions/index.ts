export * from './associated-token.ts';
export * from './compute-budget.ts';
export * from './lookup-table.ts';
export * from './system-program.ts';
export * from './token-account.ts';
export * from './token-transfer.ts';
