/** `@tidegate/localnet/programs`: binaries of the on-chain programs. */
export { OWN_PROGRAMS, readProgram } from './program-binaries.ts';
