import { scopeError } from '@tidegate/core/protocol/scope';
import type { Program } from '../../runtime/program.ts';
import { anchorProgram } from '../framework/anchor-program.ts';
import { refreshPriceListHandler } from './refresh-price-list.ts';

/** The oracle. The keepers write its prices; nobody can make it load one from a source. */
export const scopeProgram: Program = anchorProgram({
  handlers: [refreshPriceListHandler],
  errorOf: scopeError,
});
