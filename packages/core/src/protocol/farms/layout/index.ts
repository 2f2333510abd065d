export * from './farm-state.ts';
export * from './global-config.ts';
export * from './user-state.ts';
