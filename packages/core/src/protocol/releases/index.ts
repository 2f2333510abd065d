export * from '../../base/solana/program-release.ts';
export * from './named-releases.ts';
export * from './program-rules.ts';
