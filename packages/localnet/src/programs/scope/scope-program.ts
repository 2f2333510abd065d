import { scopeError } from '@tidegate/core/protocol/scope';
import type { Program } from '../../runtime/program.ts';
import { createAnchorProgram } from '../framework/anchor-program.ts';
import { refreshPriceListHandler } from './refresh-price-list.ts';

/** The oracle. The keepers write its prices; nobody can make it load one from a source. */
export const scopeProgram: Program = createAnchorProgram({
  handlers: [refreshPriceListHandler],
  errorOf: scopeError,
});
