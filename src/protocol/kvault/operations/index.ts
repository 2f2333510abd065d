export * from './allocation.ts';
export * from './deposit-to-vault.ts';
export * from './invest.ts';
export * from './plan-invest.ts';
export * from './plan-withdraw.ts';
export * from './redeem-in-kind.ts';
export * from './refresh-vault.ts';
export * from './withdraw-from-vault.ts';
