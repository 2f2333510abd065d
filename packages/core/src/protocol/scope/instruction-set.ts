import { createInstructionSet } from '../../base/solana/instruction-set.ts';
import { refreshPriceList } from './instructions/refresh-price-list.ts';

export const scopeInstructions = createInstructionSet([refreshPriceList]);
