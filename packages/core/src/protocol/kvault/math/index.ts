export * from './allocation-targets.ts';
export * from './disinvestment.ts';
export * from './fees.ts';
export * from './holdings.ts';
export * from './shares.ts';
export * from './withdrawal-quote.ts';
export * from './yield.ts';
