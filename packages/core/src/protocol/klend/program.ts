import { toAddress } from '../../base/encoding/address.ts';

export const KLEND_PROGRAM = toAddress('KLend2g3cP87fffoy8q1mQqGKjrxjC8boSyAYavgmjD');
export const KLEND_STAGING_PROGRAM = toAddress('SLendK7ySfcEzyaFqy93gDnD3RtrpXJcnRwb6zFHJSh');

/** All deployments with these account layouts. */
export const KLEND_PROGRAMS = [KLEND_PROGRAM, KLEND_STAGING_PROGRAM];
