export { scopeError, scopeRejection } from './errors.ts';
export { scopeInstructions } from './instruction-set.ts';
export * as instructions from './instructions/index.ts';
export * as accounts from './layout/index.ts';
export * as math from './math/index.ts';
export * as addresses from './pda.ts';
export { configurationAddress } from './pda.ts';
export * from './program.ts';
