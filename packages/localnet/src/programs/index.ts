/** `@tidegate/localnet/programs`: downloads binaries of the on-chain programs. */
export { fetchProgramBinary, PROTOCOL_PROGRAMS } from './program-binaries.ts';
