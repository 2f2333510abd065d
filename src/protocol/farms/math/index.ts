export * from './farm-moment.ts';
export * from './issuance.ts';
export * from './reward-rate.ts';
export * from './reward-schedule.ts';
export * from './stake-shares.ts';
export * from './user-reward.ts';
export * from './withdrawal-penalty.ts';
