export * from './global-config.ts';
export * from './reserve-whitelist-entry.ts';
export * from './vault-state.ts';
