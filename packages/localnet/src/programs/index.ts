/** `@tidegate/localnet/programs`: binaries of the on-chain programs. */
export { fetchProgramBinary, PROTOCOL_PROGRAMS } from './program-binaries.ts';
