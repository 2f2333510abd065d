import { programInstructions } from '../../base/instruction-set.ts';
import { refreshPriceList } from './instructions/refresh-price-list.ts';

export const scopeInstructions = programInstructions([refreshPriceList]);
