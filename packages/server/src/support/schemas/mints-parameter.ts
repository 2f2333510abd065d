import { type Address, parseAddress } from '@tidegate/core/base';
import { invalidQuery } from '../history/history-query.ts';

/** All tokens if omitted. */
export function parseMints(list: string | undefined): (mint: Address) => boolean {
  if (list === undefined) return () => true;
  const texts = list.split(',');
  const mints = new Set(texts.flatMap((text) => parseAddress(text) ?? []));
  const invalid = texts.findIndex((text) => parseAddress(text) === undefined);
  if (invalid < 0) return (mint) => mints.has(mint);
  const message = `mints.${invalid} must be a base58 address of 32 bytes`;
  throw invalidQuery([{ path: ['mints', invalid], code: 'invalid_address', message }]);
}
