export * from './config-updates.ts';
export * from './farms.ts';
export * from './refresh.ts';
export * from './rewards.ts';
export * from './stake.ts';
export * from './user-states.ts';
