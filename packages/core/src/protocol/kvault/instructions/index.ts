export * from './allocation.ts';
export * from './global-config.ts';
export * from './rewards-and-fees.ts';
export * from './shares.ts';
export * from './vault-setup.ts';
