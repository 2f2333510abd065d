/** `@tidegate/localnet/genesis`: what a generated cluster consists of before its first transaction. */
export { metadataOfPlan } from './genesis.ts';
