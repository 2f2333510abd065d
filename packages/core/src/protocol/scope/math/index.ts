export * from './mapping-entry.ts';
export * from './price-chain.ts';
export * from './sample-tracker.ts';
export * from './twap.ts';
