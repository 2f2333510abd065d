/** `@tidegate/localnet/genesis`: the initial state of a generated cluster. */
export { metadataOfPlan } from './genesis.ts';
