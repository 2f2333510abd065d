export * from './global-config.ts';
export * from './vault-state.ts';
