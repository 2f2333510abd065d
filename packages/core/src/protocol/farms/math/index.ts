export * from './farm-time.ts';
export * from './issuance.ts';
export * from './reward-rate.ts';
export * from './reward-schedule.ts';
export * from './stake-shares.ts';
export * from './user-reward.ts';
export * from './withdrawal-penalty.ts';
