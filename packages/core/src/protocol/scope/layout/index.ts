export * from './configuration.ts';
export * from './mints-to-scope-chains.ts';
export * from './oracle-mappings.ts';
export * from './oracle-prices.ts';
export * from './oracle-twaps.ts';
export * from './token-metadatas.ts';
