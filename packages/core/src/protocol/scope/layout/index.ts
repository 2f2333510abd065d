export * from './configuration.ts';
export * from './mints-to-scope-chains.ts';
export * from './oracle-prices.ts';
