import { scopeError } from '@tidegate/core/protocol/scope';
import type { Program } from '../../runtime/program.ts';
import { createAnchorProgram } from '../framework/anchor-program.ts';
import { refreshPriceListHandler } from './refresh-price-list.ts';

/** The oracle program. Keepers write the prices of sources; it computes those that depend on others. */
export const scopeProgram: Program = createAnchorProgram({
  handlers: [refreshPriceListHandler],
  errorOf: scopeError,
});
