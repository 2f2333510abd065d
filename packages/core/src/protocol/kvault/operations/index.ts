export * from './allocations.ts';
export * from './deposit-to-vault.ts';
export * from './fees-and-rewards.ts';
export * from './invest.ts';
export * from './plan-withdraw.ts';
export * from './refresh-vault.ts';
export * from './settings.ts';
export * from './withdraw.ts';
