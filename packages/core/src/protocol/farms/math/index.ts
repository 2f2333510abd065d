export * from './issuance.ts';
export * from './reward-rate.ts';
export * from './stake-shares.ts';
export * from './user-reward.ts';
