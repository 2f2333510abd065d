export * from './address-lookup-table.ts';
export * from './extensions.ts';
export * from './mint.ts';
export * from './token-account.ts';
export * from './token-data.ts';
