import { instruction } from '../../../base/instruction.ts';
import { u32 } from '../../../base/layout.ts';

export const setComputeUnitLimit = instruction({
  name: 'setComputeUnitLimit',
  discriminator: '02',
  accounts: {},
  args: { units: u32 },
});
