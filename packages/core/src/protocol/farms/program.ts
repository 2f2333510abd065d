import { toAddress } from '../../base/encoding/address.ts';

export const FARMS_PROGRAM = toAddress('FarmsPZpWu9i7Kky8tPN37rs2TpmMrAZrC7S7vJa91Hr');

/** All deployments with these account layouts. */
export const FARMS_PROGRAMS = [FARMS_PROGRAM];
