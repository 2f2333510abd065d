import { kvaultError } from '@tidegate/core/protocol/kvault';
import type { Program } from '../../runtime/program.ts';
import { anchorProgram } from '../framework/anchor-program.ts';
import { depositHandlers } from './deposit.ts';
import { isEvent, receiveEvent } from './emit-event.ts';
import { investHandler } from './invest.ts';
import { pendingFeesHandlers } from './pending-fees.ts';
import { redeemInKindHandler } from './redeem-in-kind.ts';
import { updateReserveAllocationHandler } from './update-reserve-allocation.ts';
import { withdrawHandlers } from './withdraw.ts';

const EVENT_UNITS = 2_000;

/** No recording of the program tells its compute units: those of its instructions are estimates. */
const instructions = anchorProgram({
  handlers: [
    ...depositHandlers,
    ...withdrawHandlers,
    redeemInKindHandler,
    investHandler,
    ...pendingFeesHandlers,
    updateReserveAllocationHandler,
  ],
  errorOf: kvaultError,
});

/** Vaults: savers deposit one token for shares, and `invest` lends it to the reserves of the vault. */
export const kvaultProgram: Program = {
  unitsOf: (data) => (isEvent(data) ? EVENT_UNITS : instructions.unitsOf(data)),
  run(call) {
    if (isEvent(call.data)) receiveEvent(call);
    else instructions.run(call);
  },
};
