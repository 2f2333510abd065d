export * from './buy.ts';
export * from './deposit.ts';
export * from './invest.ts';
export * from './redeem-in-kind.ts';
export * from './sell.ts';
export * from './withdraw.ts';
export * from './withdraw-from-available.ts';
