export * from '../../base/solana/program-release.ts';
export * from './deployed-program.ts';
export { modelExecutable, modelVersion } from './model-executable.ts';
export * from './named-releases.ts';
export * from './program-rules.ts';
export {
  isProgramName,
  PROGRAM_NAMES,
  type ProgramName,
  programTables,
  tableVersion,
} from './program-tables.ts';
export * from './release-overlay.ts';
