export * from './farm-setup.ts';
export * from './rewards.ts';
export * from './staking.ts';
