export * from '../../base/solana/program-release.ts';
export * from './deployed-program.ts';
export * from './named-releases.ts';
export * from './program-rules.ts';
export * from './release-overlay.ts';
